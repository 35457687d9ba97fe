# embed_sentence: not converted to lower case
# A word with a capital letter is not found and is skipped. Convert the sentence to lower case
# first.
def embed_sentence(sentence, vocab, table):
    ids = [vocab[word] for word in sentence.split() if word in vocab]
    return table[np.array(ids, dtype=int)]
