# encode_sentence: unknown words have no row
# You left unknown words out. In this exercise every word has a row, and that of an unknown word is
# all zeros.
def encode_sentence(sentence, vocab):
    words = [word for word in sentence.lower().split() if word in vocab]
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        rows[place, vocab[word]] = 1
    return rows
