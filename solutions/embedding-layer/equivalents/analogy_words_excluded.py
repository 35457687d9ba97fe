# word_analogy: all tokens ranked, inputs left out in a loop
# The full ranking is walked until enough tokens are found.
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    ids = {w: tokenizer.convert_tokens_to_ids(w) for w in (a, b, c)}
    target = embeddings[ids[a]] + (embeddings[ids[c]] - embeddings[ids[b]])
    scored = [(F.cosine_similarity(row, target, dim=0).item(), i) for i, row in enumerate(embeddings)]
    answers = []
    for score, i in sorted(scored, reverse=True):
        if i not in ids.values():
            answers.append((tokenizer.decode(i), score))
    return answers[:top_k]
