# find_similar_tokens: the word's own cosine is set to 0
# You set the word's own score to 0 before ranking. Zero is not the smallest cosine: if the others
# are negative, the word is in the list again. Use minus infinity, or leave out its id.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    number = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings[number][None], embeddings)
    cosines[number] = 0.0
    scores, ids = cosines.topk(top_k)
    return [(tokenizer.decode([i]), s) for i, s in zip(ids.tolist(), scores.tolist())]
