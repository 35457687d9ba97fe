# encode_sentence: empty words between two blanks
# `split(" ")` makes an empty word between two blanks, and of an empty sentence one empty word.
# `split()` without an argument does not.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split(" ")
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        if word in vocab:
            rows[place, vocab[word]] = 1
    return rows
