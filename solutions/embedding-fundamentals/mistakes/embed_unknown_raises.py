# embed_sentence: raises an error for an unknown word
# Your function raises a KeyError when a word is not in the vocabulary. Skip such a word.
def embed_sentence(sentence, vocab, table):
    return np.array([table[vocab[word]] for word in sentence.lower().split()])
