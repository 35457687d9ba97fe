# embed_sentence: F.embedding
# Ids and table as tensors, in float32.
def embed_sentence(sentence, vocab, table):
    known = [vocab[w] for w in sentence.lower().split(" ") if w in vocab]
    return F.embedding(torch.tensor(known, dtype=torch.long), torch.from_numpy(table).float())
