# find_similar_tokens: drops the first result instead of the word
# You dropped the first result because it is usually the word itself. If another token has the same
# direction, it may not be: leave out the word's id.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = embeddings[tokenizer.encode(word)[0]]
    cosines = F.cosine_similarity(embeddings, query[None])
    order = sorted(range(len(cosines)), key=lambda i: -round(cosines[i].item(), 5))
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order[1 : top_k + 1]]
