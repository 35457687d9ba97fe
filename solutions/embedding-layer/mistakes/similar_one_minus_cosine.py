# find_similar_tokens: 1 - cosine as the score
# Your scores are distances: 0 for the same direction. The cosine is 1 for it, so leave out the
# subtraction.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    distances = 1 - F.cosine_similarity(embeddings, embeddings[query][None])
    distances[query] = math.inf
    best = torch.topk(distances, top_k, largest=False)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
