# embed_sentence: zero rows for unknown words
# An unknown word got a row of zeros. In this exercise unknown words are skipped: they have no row.
def embed_sentence(sentence, vocab, table):
    words = sentence.lower().split()
    rows = np.zeros((len(words), table.shape[1]))
    for place, word in enumerate(words):
        if word in vocab:
            rows[place] = table[vocab[word]]
    return rows
