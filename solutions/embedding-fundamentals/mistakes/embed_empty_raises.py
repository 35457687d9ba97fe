# embed_sentence: no known word cannot be stacked
# A sentence without known words stops your function, because there is nothing to stack. Return a
# table of zero rows.
def embed_sentence(sentence, vocab, table):
    return np.stack([table[vocab[w]] for w in sentence.lower().split() if w in vocab])
