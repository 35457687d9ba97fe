# TextEmbedding: positions for words alone
# The encoding is added, and padded places are set back to zero; not scaled.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, texts):
        pad, unk = self.vocab["[PAD]"], self.vocab["[UNK]"]
        rows = []
        for text in texts:
            ids = [self.vocab.get(word, unk) for word in text.lower().split()][: self.max_seq_len]
            rows.append(ids + [pad] * (self.max_seq_len - len(ids)))
        ids = torch.LongTensor(rows).to(next(self.parameters()).device)
        vectors = self.positions(self.table(ids))
        return vectors * (ids != pad).unsqueeze(-1)
