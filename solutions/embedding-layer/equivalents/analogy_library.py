# word_analogy: F.cosine_similarity, masked
# The library's cosine, a boolean mask, and a dictionary.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    def vector(word):
        return embeddings[tokenizer.encode(word)[0]]

    target = vector(a) - vector(b) + vector(c)
    similarity = F.cosine_similarity(target.unsqueeze(0), embeddings)
    mask = torch.zeros(len(embeddings), dtype=torch.bool)
    for word in (a, b, c):
        mask[tokenizer.encode(word)] = True
    similarity = similarity.masked_fill(mask, -2.0)
    values, indices = similarity.topk(top_k)
    return {tokenizer.decode([int(i)]): float(v) for v, i in zip(values, indices)}
