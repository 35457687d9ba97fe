# TextEmbedding: raises an error for an empty text
# Splitting an empty text gives no words, but your module uses the first one anyway. The text
# becomes a row of padding.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        rows = []
        for text in texts:
            words = text.lower().split()[: self.max_seq_len]
            known = [self.vocab.get(word, self.vocab["[UNK]"]) for word in words]
            known[0] = known[0]
            rows.append(known + [self.vocab["[PAD]"]] * (self.max_seq_len - len(known)))
        return self.table(torch.tensor(rows, device=self.table.weight.device))
