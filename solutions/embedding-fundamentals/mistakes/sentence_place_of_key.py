# encode_sentence: the position of the key instead of the id
# You took the position of a word in the dictionary. Its id is the value in the
# dictionary, and the two need not be the same.
def encode_sentence(sentence, vocab):
    order = list(vocab)
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        if word in order:
            rows[place, order.index(word)] = 1
    return rows
