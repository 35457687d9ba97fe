# find_similar_tokens: the first of the sorted tokens is dropped
# You sort all tokens and drop the first because it is usually the word itself. If another token has
# the same direction, it may not be: leave out the word's id.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    cosines = F.normalize(embeddings) @ F.normalize(embeddings[query], dim=0)
    order = torch.argsort(cosines, descending=True, stable=True).tolist()[1 : top_k + 1]
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order]
