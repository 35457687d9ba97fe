# encode_sentence: one vector of counts
# You added up the words into one vector. That is a bag of words: the order is lost. Each word
# should have a row of its own.
def encode_sentence(sentence, vocab):
    counts = np.zeros(len(vocab))
    for word in sentence.lower().split():
        if word in vocab:
            counts[vocab[word]] += 1
    return counts
