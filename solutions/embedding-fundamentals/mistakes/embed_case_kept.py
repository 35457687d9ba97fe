# embed_sentence: capital letters are not lowered
# A word with a capital letter is not found and is skipped. Lower the sentence first.
def embed_sentence(sentence, vocab, table):
    ids = [vocab[word] for word in sentence.split() if word in vocab]
    return table[np.array(ids, dtype=int)]
