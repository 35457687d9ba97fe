# encode_sentence: an identity with a row of zeros
# The last row of the table is zero and stands for all unknown words.
def encode_sentence(sentence, vocab):
    table = np.vstack([np.eye(len(vocab)), np.zeros(len(vocab))])
    ids = [vocab.get(word, len(vocab)) for word in sentence.lower().split()]
    return table[np.asarray(ids, dtype=np.int64)]
