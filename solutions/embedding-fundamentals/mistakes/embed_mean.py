# embed_sentence: the mean of the rows
# You returned the mean of the words' vectors. Each known word has a row of its own.
def embed_sentence(sentence, vocab, table):
    ids = [vocab[word] for word in sentence.lower().split() if word in vocab]
    return table[ids].mean(axis=0) if ids else np.zeros((0, table.shape[1]))
