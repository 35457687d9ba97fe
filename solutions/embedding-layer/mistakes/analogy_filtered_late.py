# word_analogy: the inputs are removed from the best top_k
# You take the best top_k first and remove the inputs afterwards, so fewer than top_k are left.
# Leave out the inputs before you count, or take top_k + 3.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    ids = [tokenizer.encode(word)[0] for word in (a, b, c)]
    target = embeddings[ids[0]] - embeddings[ids[1]] + embeddings[ids[2]]
    scores, best = F.cosine_similarity(target[None], embeddings).topk(top_k)
    pairs = zip(best.tolist(), scores.tolist())
    return [(tokenizer.decode([i]), s) for i, s in pairs if i not in ids]
