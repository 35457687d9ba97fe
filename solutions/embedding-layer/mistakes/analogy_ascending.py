# word_analogy: the least similar first
# You took the smallest cosines, so these are the tokens farthest from the target. The best one
# should come first.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = F.cosine_similarity(embeddings, target[None])
    cosines[[i, j, k]] = math.inf
    best = torch.topk(cosines, top_k, largest=False)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
