# word_analogy: the plain dot product
# You ranked by the plain dot product, which favours long rows. Divide by both lengths: the row's and
# the target's.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = embeddings @ target
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
