# encode_sentence: not converted to lower case
# A word with a capital letter is not found, and its row stays zero. Convert the sentence to lower
# case before you look for its words.
def encode_sentence(sentence, vocab):
    rows = np.zeros((len(sentence.split()), len(vocab)))
    for place, word in enumerate(sentence.split()):
        if word in vocab:
            rows[place, vocab[word]] = 1
    return rows
