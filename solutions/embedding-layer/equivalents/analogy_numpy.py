# word_analogy: NumPy in float64
# Everything in NumPy; pairs (score, token).
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    table = np.asarray(embeddings, dtype=np.float64)
    ids = [tokenizer.encode(word)[0] for word in (a, b, c)]
    target = table[ids[0]] - table[ids[1]] + table[ids[2]]
    scores = table @ target / np.linalg.norm(table, axis=1) / np.linalg.norm(target)
    scores[ids] = -np.inf
    best = np.argsort(scores)[::-1][:top_k]
    return [(float(scores[i]), tokenizer.decode([int(i)])) for i in best]
