# find_similar_tokens: the tokenizer of the notebook
# You use `small_tokenizer`, which belongs to the table made by hand. Your function gets a tokenizer
# as an argument, which may have other words.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    cosines[query] = -math.inf
    order = torch.topk(cosines, top_k).indices.tolist()
    words = small_tokenizer.words
    return [(words[i % len(words)], cosines[i].item()) for i in order]
