# word_analogy: top_k is 1 when it is not given
# If top_k is not given, your function does not return 5 answers.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=1):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = F.cosine_similarity(embeddings, target[None])
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
