# embed_sentence: stops at an unknown word
# Your function stops with a KeyError when a word is not in the vocabulary. Skip such a word.
def embed_sentence(sentence, vocab, table):
    return np.array([table[vocab[word]] for word in sentence.lower().split()])
