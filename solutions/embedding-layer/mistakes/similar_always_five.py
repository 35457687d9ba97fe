# find_similar_tokens: always five tokens
# You always return five tokens. Return `top_k` tokens.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    cosines[query] = -math.inf
    best = torch.topk(cosines, 5)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
