# find_similar_tokens: F.cosine_similarity and argsort
# Scores stay 0-d tensors; the id is read from the tokenizer's call.
def find_similar_tokens(word, embeddings, tokenizer, top_k=5):
    query = tokenizer.encode(word, add_special_tokens=False)[0]
    cosines = F.cosine_similarity(embeddings, embeddings[query].unsqueeze(0), dim=1)
    results = []
    for i in cosines.argsort(descending=True):
        if i.item() == query:
            continue
        results.append((tokenizer.decode([i.item()]), cosines[i]))
        if len(results) == top_k:
            break
    return results
