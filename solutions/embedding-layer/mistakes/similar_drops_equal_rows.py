# find_similar_tokens: leaves out every token of the same direction
# You left out all tokens whose cosine is 1. Another word may have exactly that direction, and then
# it is the nearest neighbour. Leave out the word's id only.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = embeddings[tokenizer.encode(word)[0]]
    cosines = F.cosine_similarity(embeddings, query[None])
    cosines[cosines > 0.99999] = -math.inf
    best = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
