# word_analogy: only the target is scaled to length 1
# You divided by the length of the target, but not by those of the rows, so long rows win. Divide by
# both.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = embeddings @ (target / target.norm())
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
