# embed_sentence: the place of the key for the id
# You took the place at which a word stands in the dictionary. Its id is the value that the
# dictionary holds.
def embed_sentence(sentence, vocab, table):
    order = list(vocab)
    ids = [order.index(word) for word in sentence.lower().split() if word in order]
    return table[np.array(ids, dtype=int)]
