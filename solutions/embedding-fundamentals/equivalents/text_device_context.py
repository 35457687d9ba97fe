# TextEmbedding: everything is made on one device
# `with torch.device(...)` decides where the ids are made; F.embedding knows the padding.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.limit = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        pad, unk = self.vocab["[PAD]"], self.vocab["[UNK]"]
        with torch.device(self.table.weight.device):
            ids = torch.full((len(texts), self.limit), pad)
            for row, text in zip(ids, texts):
                known = [self.vocab.get(word, unk) for word in text.lower().split()][: self.limit]
                row[: len(known)] = torch.tensor(known, dtype=torch.long)
        return F.embedding(ids, self.table.weight, padding_idx=pad)
