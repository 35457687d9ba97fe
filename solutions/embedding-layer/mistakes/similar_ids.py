# find_similar_tokens: ids instead of words
# Your list contains ids. `tokenizer.decode([id])` returns the word of an id.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    cosines[query] = -math.inf
    best = torch.topk(cosines, top_k)
    return list(zip(best.indices.tolist(), best.values.tolist()))
