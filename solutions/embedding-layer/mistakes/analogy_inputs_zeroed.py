# word_analogy: the inputs' cosines are set to 0
# You set the scores of a, b and c to 0 before ranking. Zero is not the smallest cosine: if the
# others are negative, the inputs are in the list again. Use minus infinity, or leave out their ids.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    ids = [tokenizer.encode(word)[0] for word in (a, b, c)]
    target = embeddings[ids[0]] - embeddings[ids[1]] + embeddings[ids[2]]
    cosines = F.cosine_similarity(target[None], embeddings)
    cosines[ids] = 0.0
    scores, best = cosines.topk(top_k)
    return [(tokenizer.decode([i]), s) for i, s in zip(best.tolist(), scores.tolist())]
