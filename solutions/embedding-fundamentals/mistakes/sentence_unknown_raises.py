# encode_sentence: stops at an unknown word
# Your function stops with a KeyError when a word is not in the vocabulary. Ask whether it is
# there before you take its id.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        rows[place, vocab[word]] = 1
    return rows
