# embed_sentence: a list of rows
# Rows from the earlier function, in a list.
def embed_sentence(sentence, vocab, table):
    rows = []
    for word in sentence.lower().split():
        if word in vocab:
            rows.append(lookup_embedding(vocab[word], table))
    return rows
