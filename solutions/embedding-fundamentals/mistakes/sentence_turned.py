# encode_sentence: words as columns
# Your table is transposed, [V, words]. Words are the rows: [words, V].
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    rows = np.zeros((len(vocab), len(words)))
    for place, word in enumerate(words):
        if word in vocab:
            rows[vocab[word], place] = 1
    return rows
