# find_similar_tokens: the first of top_k + 1 results is dropped
# You take one result more and drop the first because it is usually the word itself. If another
# token has the same direction, it may not be: leave out the word's id.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.normalize(embeddings) @ F.normalize(embeddings[query], dim=0)
    order = torch.topk(cosines, top_k + 1).indices.tolist()[1:]
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order]
