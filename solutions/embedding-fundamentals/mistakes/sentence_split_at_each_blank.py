# encode_sentence: empty words between two spaces
# `split(" ")` makes an empty word between two spaces, and turns an empty sentence into one empty
# word. `split()` without an argument does not.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split(" ")
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        if word in vocab:
            rows[place, vocab[word]] = 1
    return rows
