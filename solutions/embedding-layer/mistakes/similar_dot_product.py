# find_similar_tokens: the rows are not scaled to length 1
# You ranked by the plain dot product, which favours long rows. Divide by both lengths.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    scores = embeddings @ embeddings[query]
    scores[query] = -math.inf
    best = torch.topk(scores, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
