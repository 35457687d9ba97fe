# find_similar_tokens: the word is in its own list
# The first of your neighbours is the word itself. Leave out its id before you rank.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = embeddings[tokenizer.encode(word)[0]]
    cosines = F.cosine_similarity(embeddings, query[None])
    best = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]
