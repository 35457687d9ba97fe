# find_similar_tokens: (score, token) by a heap
# Pairs in the other order, from a heap; a loop over all rows.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    import heapq

    query = tokenizer.encode(word)[0]
    q = embeddings[query]
    pairs = []
    for i, row in enumerate(embeddings):
        if i != query:
            cosine = torch.dot(row, q) / torch.sqrt(torch.dot(row, row) * torch.dot(q, q))
            pairs.append((float(cosine), tokenizer.decode([i])))
    return heapq.nlargest(top_k, pairs)
