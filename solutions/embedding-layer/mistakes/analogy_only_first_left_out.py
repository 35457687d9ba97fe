# word_analogy: only the first word is left out
# You left out only the first input word. Leave out all three.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = F.cosine_similarity(embeddings, target[None])
    cosines[i] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
