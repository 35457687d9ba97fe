# TextEmbedding: the ids stay on the CPU
# Your ids are created on the CPU, and the table is on the accelerator. Create them where the table
# is, or move them: `ids = ids.to(self.table.weight.device)`. `.to` by itself changes nothing: it
# returns a new tensor.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids)
