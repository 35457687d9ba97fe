# TextEmbedding: an empty buffer that knows the device
# It moves with the module, and the ids are made where it is.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.limit = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])
        self.register_buffer("here", torch.empty(0), persistent=False)

    @property
    def device(self):
        return self.here.device

    def forward(self, texts):
        pad, unk = self.vocab["[PAD]"], self.vocab["[UNK]"]
        rows = []
        for text in texts:
            ids = [self.vocab.get(word, unk) for word in text.lower().split()][: self.limit]
            rows.append(ids + [pad] * (self.limit - len(ids)))
        return self.table(torch.tensor(rows, dtype=torch.int64, device=self.device))
