# word_analogy: the table is changed
# `target = embeddings[i]` is a view: your -= and += changed a row of the given table. Compute the
# sum as a new tensor.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i]
    target -= embeddings[j]
    target += embeddings[k]
    cosines = F.cosine_similarity(embeddings, target[None])
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
