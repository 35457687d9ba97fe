# find_similar_tokens: the table is changed
# You brought the rows of the given table to length 1 in place. Whoever owns the table finds it
# changed after asking a question: make a new tensor.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    embeddings /= embeddings.norm(dim=1, keepdim=True)
    cosines = embeddings @ embeddings[query]
    cosines[query] = -math.inf
    best = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
