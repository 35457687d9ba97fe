# find_similar_tokens: a dictionary in order
# From token to score, best first.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    unit = embeddings / embeddings.norm(dim=-1, keepdim=True)
    scores = (unit @ unit[query]).tolist()
    ranked = sorted((i for i in range(len(scores)) if i != query), key=lambda i: scores[i], reverse=True)
    return {tokenizer.decode([i]): scores[i] for i in ranked[:top_k]}
