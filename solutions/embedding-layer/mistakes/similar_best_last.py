# find_similar_tokens: the right tokens in the wrong order
# You found the right tokens, but the best one comes last. Reverse the list.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    order = [i for i in torch.argsort(cosines).tolist() if i != query]
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order[-top_k:]]
