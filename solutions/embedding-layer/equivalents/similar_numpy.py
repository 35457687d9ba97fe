# find_similar_tokens: NumPy, sorted indices
# Norms and argsort in NumPy; scores are NumPy numbers, pairs are lists.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    table = embeddings.numpy().astype(np.float64)
    query = tokenizer.encode(word)[0]
    lengths = np.linalg.norm(table, axis=1)
    scores = table @ table[query] / (lengths * lengths[query] + 1e-12)
    order = [i for i in np.argsort(-scores) if i != query]
    return [[tokenizer.decode([int(i)]), scores[i]] for i in order[:top_k]]
