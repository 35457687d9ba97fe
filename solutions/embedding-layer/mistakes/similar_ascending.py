# find_similar_tokens: the least similar first
# You sorted from small to large, so these are the least similar tokens. The best one comes
# first.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    order = [i for i in torch.argsort(cosines).tolist() if i != query]
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order[:top_k]]
