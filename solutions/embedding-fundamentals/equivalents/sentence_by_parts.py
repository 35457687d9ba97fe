# encode_sentence: from the function before
# Rows of the earlier exercise, stacked; an empty table of the right width for no words.
def encode_sentence(sentence, vocab):
    size = len(vocab)
    rows = [
        np.asarray(one_hot_encode(vocab[w], size), dtype=float) if w in vocab else np.zeros(size)
        for w in sentence.lower().split()
    ]
    return np.stack(rows) if rows else np.zeros((0, size))
