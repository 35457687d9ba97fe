# find_similar_tokens: one token too few
# You took the top_k best and then left out the word, so the list is one short. Leave out the word
# first, or take one more.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    best = torch.topk(cosines, top_k)
    pairs = zip(best.indices.tolist(), best.values.tolist())
    return [(tokenizer.decode([i]), score) for i, score in pairs if i != query]
