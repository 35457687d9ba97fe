# encode_sentence: a word that occurs twice
# A word that occurs twice got only one of its rows: `index` returns the first position each time.
# Count the positions with enumerate.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for word in words:
        if word in vocab:
            rows[words.index(word), vocab[word]] = 1
    return rows
