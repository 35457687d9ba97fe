# TextEmbedding: a mask on the CPU
# You moved the ids, but not the mask that you multiply by: it is created on the CPU. Create it from
# the moved ids, `ids != pad`; then it is where they are.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        mask = torch.zeros(len(texts), self.max_seq_len, 1)
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
                mask[row, place] = 1.0
        return self.table(ids.to(self.table.weight.device)) * mask
