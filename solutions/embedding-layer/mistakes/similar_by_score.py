# find_similar_tokens: a dictionary from score to token
# In a dictionary each score occurs once: of tokens with equal scores, only the last one remains.
# Sort pairs instead.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    here = tokenizer.encode(word)[0]
    scores = F.cosine_similarity(embeddings, embeddings[here], dim=-1).tolist()
    by_score = {score: tokenizer.decode([i]) for i, score in enumerate(scores) if i != here}
    return [(by_score[score], score) for score in sorted(by_score, reverse=True)[:top_k]]
