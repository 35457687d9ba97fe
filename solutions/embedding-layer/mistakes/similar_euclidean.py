# find_similar_tokens: distance instead of cosine
# You ranked by distance. Two rows with the same direction and different lengths are far apart, but
# similar: use the cosine.
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    query = tokenizer.encode(word)[0]
    distances = (embeddings - embeddings[query]).norm(dim=1)
    order = [i for i in torch.argsort(distances).tolist() if i != query]
    return [(tokenizer.decode([i]), distances[i].item()) for i in order[:top_k]]
