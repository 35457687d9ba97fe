# encode_sentence: adds unknown words to the vocabulary
# Your function adds unknown words to the vocabulary that it was given, so the next call gets a
# different one. Leave the vocabulary as it was, and the row as zeros.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    size = len(vocab)
    rows = np.zeros((len(words), size))
    for place, word in enumerate(words):
        number = vocab.setdefault(word, len(vocab))
        if number < size:
            rows[place, number] = 1
    return rows
