# encode_sentence: capital letters are not lowered
# A word with a capital letter is not found, and its row stays zero. Lower the sentence before you
# look for its words.
def encode_sentence(sentence, vocab):
    rows = np.zeros((len(sentence.split()), len(vocab)))
    for place, word in enumerate(sentence.split()):
        if word in vocab:
            rows[place, vocab[word]] = 1
    return rows
