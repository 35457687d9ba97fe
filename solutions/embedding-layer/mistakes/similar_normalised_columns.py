# find_similar_tokens: columns scaled to length 1
# You scaled the columns of the table to length 1, not the rows. A token's vector is a row: its
# numbers are along axis 1.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    directions = F.normalize(embeddings, dim=0)
    scores = directions @ directions[query]
    scores[query] = -math.inf
    best = torch.topk(scores, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
