# word_analogy: rows scaled to length 1 first
# The other accepted way: all rows at length 1 before adding.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    unit = F.normalize(embeddings, dim=1)
    ia, ib, ic = [tokenizer.encode(w)[0] for w in (a, b, c)]
    target = unit[ia] - unit[ib] + unit[ic]
    scores = unit @ target / target.norm()
    ranked = [i for i in scores.argsort(descending=True).tolist() if i not in {ia, ib, ic}]
    return [(tokenizer.decode([i]), scores[i].item()) for i in ranked[:top_k]]
