# encode_sentence: raises an error for an unknown word
# Your function raises a KeyError when a word is not in the vocabulary. Check whether it is there
# before you look up its id.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        rows[place, vocab[word]] = 1
    return rows
