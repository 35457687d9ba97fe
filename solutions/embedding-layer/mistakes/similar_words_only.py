# find_similar_tokens: no scores
# Your list contains the words without their scores. Each entry should be a pair: the word and its
# cosine.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    cosines[query] = -math.inf
    return [tokenizer.decode([i]) for i in torch.topk(cosines, top_k).indices.tolist()]
