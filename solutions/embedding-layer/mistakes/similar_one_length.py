# find_similar_tokens: only the word's row is scaled to length 1
# You divided by the length of the word's row only, so long rows of other tokens still win. Divide
# by both lengths.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    scores = embeddings @ F.normalize(embeddings[query], dim=0)
    scores[query] = -math.inf
    best = torch.topk(scores, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
