# find_similar_tokens: the table is changed
# You scaled the rows of the given table to length 1 in place, so the caller's table is changed.
# Create a new tensor.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    embeddings /= embeddings.norm(dim=1, keepdim=True)
    cosines = embeddings @ embeddings[query]
    cosines[query] = -math.inf
    best = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
