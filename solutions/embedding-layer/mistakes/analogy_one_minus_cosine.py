# word_analogy: 1 - cosine as the score
# Your scores are distances: 0 for the same direction. The cosine is 1 for it, so leave out the
# subtraction.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = 1 - F.cosine_similarity(embeddings, target[None])
    cosines[[i, j, k]] = math.inf
    best = torch.topk(cosines, top_k, largest=False)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
