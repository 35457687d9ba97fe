# encode_sentence: an empty sentence cannot be stacked
# An empty sentence stops your function, because there is nothing to stack. Make a table of zeros
# with as many rows as there are words: it may have none.
def encode_sentence(sentence, vocab):
    rows = []
    for word in sentence.lower().split():
        row = np.zeros(len(vocab))
        if word in vocab:
            row[vocab[word]] = 1
        rows.append(row)
    return np.stack(rows)
