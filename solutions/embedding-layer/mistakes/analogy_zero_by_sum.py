# word_analogy: rows whose numbers add up to 0 are treated as zero
# You give a row the score 0 if its numbers add up to 0. [1, -1] is such a row, and it has a length
# and a direction. No row of the table is zero, so no check is needed.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    i, j, k = (tokenizer.encode(word)[0] for word in (a, b, c))
    target = embeddings[i] - embeddings[j] + embeddings[k]
    cosines = F.cosine_similarity(embeddings, target[None])
    cosines[embeddings.sum(dim=1) == 0] = 0.0
    cosines[[i, j, k]] = -math.inf
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([n]), score) for n, score in pairs]
