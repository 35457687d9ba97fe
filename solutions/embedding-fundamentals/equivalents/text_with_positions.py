# TextEmbedding: scaled, with positions
# Lookup times sqrt(D) and the module of exercise 8; padded places hold the encoding.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = dict(vocab)
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def encode(self, text):
        words = text.lower().split()[: self.max_seq_len]
        ids = [self.vocab[w] if w in self.vocab else self.vocab["[UNK]"] for w in words]
        return ids + [self.vocab["[PAD]"]] * (self.max_seq_len - len(ids))

    def forward(self, texts):
        device = self.table.weight.device
        ids = torch.tensor([self.encode(text) for text in texts], device=device)
        return self.positions(self.table(ids) * math.sqrt(self.table.embedding_dim))
