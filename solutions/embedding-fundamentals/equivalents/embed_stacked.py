# embed_sentence: stacked, with a case for no words
# np.stack of the rows, or an empty table.
def embed_sentence(sentence, vocab, table):
    rows = [table[vocab[w]] for w in sentence.lower().split() if w in vocab]
    return np.stack(rows) if rows else np.empty((0, table.shape[1]))
