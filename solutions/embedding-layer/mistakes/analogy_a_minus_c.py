# word_analogy: b and c swapped
# You subtracted c and added b. The target is row(a) - row(b) + row(c), in the order of the
# arguments.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[k] + embeddings[j]
    cosines = F.cosine_similarity(embeddings, target[None])
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
