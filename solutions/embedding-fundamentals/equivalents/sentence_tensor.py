# encode_sentence: a float tensor by comparison
# Ids, with -1 for unknown words, compared with 0 to V-1.
def encode_sentence(sentence, vocab):
    ids = torch.tensor([vocab.get(w, -1) for w in sentence.lower().split()], dtype=torch.long)
    return (ids[:, None] == torch.arange(len(vocab))).float()
