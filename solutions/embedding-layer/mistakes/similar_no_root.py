# find_similar_tokens: the lengths without the square root
# You divided by the squared lengths. The length of a row is the square root of the sum of its
# squares.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    row = embeddings[query]
    scores = (embeddings @ row) / ((embeddings**2).sum(dim=1) * (row**2).sum())
    scores[query] = -math.inf
    best = torch.topk(scores, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
