# embed_sentence: nothing to stack without known words
# For a sentence without known words your function raises an error, because there is nothing to
# stack. Return a table of zero rows.
def embed_sentence(sentence, vocab, table):
    return np.stack([table[vocab[w]] for w in sentence.lower().split() if w in vocab])
