# TextEmbedding: padding before the words
# You put the padding before the words, which shifts their positions. Put it after them.
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
            rows.append([self.vocab["[PAD]"]] * (self.max_seq_len - len(known)) + known)
        return self.table(torch.tensor(rows, device=self.table.weight.device))
