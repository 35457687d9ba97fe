# find_similar_tokens: the sign of the cosine is lost
# Your scores are never negative. A row with the opposite direction has the cosine -1: it is the
# least similar one, not the most similar.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None]).abs()
    cosines[query] = -math.inf
    best = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
