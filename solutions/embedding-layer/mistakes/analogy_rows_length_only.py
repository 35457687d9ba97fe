# word_analogy: only the rows are scaled to length 1
# You divided by the lengths of the rows, but not by the target's. The order is right, but the
# scores are not cosines.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = F.normalize(embeddings) @ target
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
