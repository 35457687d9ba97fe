# embed_sentence: the words are sorted
# Your rows are sorted by id. They should be in the order of the words.
def embed_sentence(sentence, vocab, table):
    ids = sorted(vocab[word] for word in sentence.lower().split() if word in vocab)
    return table[np.array(ids, dtype=int)]
