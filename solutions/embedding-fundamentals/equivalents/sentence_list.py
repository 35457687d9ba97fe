# encode_sentence: lists of lists
# No array at all: an empty sentence gives an empty list.
def encode_sentence(sentence, vocab):
    table = []
    for word in sentence.split():
        number = vocab.get(word.lower(), -1)
        table.append([1 if number == column else 0 for column in range(len(vocab))])
    return table
