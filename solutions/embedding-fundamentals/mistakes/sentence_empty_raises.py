# encode_sentence: nothing to stack for an empty sentence
# For an empty sentence your function raises an error, because there is nothing to stack. Create a
# table of zeros with as many rows as there are words, which may be none.
def encode_sentence(sentence, vocab):
    rows = []
    for word in sentence.lower().split():
        row = np.zeros(len(vocab))
        if word in vocab:
            row[vocab[word]] = 1
        rows.append(row)
    return np.stack(rows)
