# embed_sentence: each word only once
# A word that occurs twice has two rows. A set loses how often a word occurs, and the order too.
def embed_sentence(sentence, vocab, table):
    words = dict.fromkeys(sentence.lower().split())
    ids = [vocab[word] for word in words if word in vocab]
    return table[np.array(ids, dtype=int)]
