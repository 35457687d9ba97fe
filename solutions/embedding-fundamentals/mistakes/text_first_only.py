# TextEmbedding: only the first text
# You embedded the first text and left the others as padding. Every text of the list should have a
# row.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        for place, word in enumerate(texts[0].lower().split()[: self.max_seq_len]):
            ids[0, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.table.weight.device))
