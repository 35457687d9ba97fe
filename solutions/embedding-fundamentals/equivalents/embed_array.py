# embed_sentence: np.array of the rows
# If no words are known, this is an empty array without a width.
def embed_sentence(sentence, vocab, table):
    return np.array([table[vocab[w]] for w in sentence.lower().split() if w in vocab])
