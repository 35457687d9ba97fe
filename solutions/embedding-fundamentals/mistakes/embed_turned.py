# embed_sentence: words as columns
# Your table is transposed, [D, words]. Words are the rows.
def embed_sentence(sentence, vocab, table):
    ids = [vocab[word] for word in sentence.lower().split() if word in vocab]
    return table[np.array(ids, dtype=int)].T
