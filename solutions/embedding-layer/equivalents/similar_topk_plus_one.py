# find_similar_tokens: one more than wanted, then the word is taken out
# topk of k + 1 and a filter by id.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    unit = F.normalize(embeddings.double(), p=2, dim=1)
    scores, ids = torch.topk(unit @ unit[query], k=top_k + 1)
    pairs = [(tokenizer.decode([int(i)]), float(s)) for s, i in zip(scores, ids) if int(i) != query]
    return pairs[:top_k]
