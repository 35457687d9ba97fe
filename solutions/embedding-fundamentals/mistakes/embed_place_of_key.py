# embed_sentence: the position of the key instead of the id
# You took the position of a word in the dictionary. Its id is the value in the dictionary.
def embed_sentence(sentence, vocab, table):
    order = list(vocab)
    ids = [order.index(word) for word in sentence.lower().split() if word in order]
    return table[np.array(ids, dtype=int)]
