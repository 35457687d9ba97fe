# encode_sentence: the place of the key for the id
# You took the place at which a word stands in the dictionary. Its id is the value that the
# dictionary holds, and the two need not be the same.
def encode_sentence(sentence, vocab):
    order = list(vocab)
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        if word in order:
            rows[place, order.index(word)] = 1
    return rows
