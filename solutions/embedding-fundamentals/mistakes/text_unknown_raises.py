# TextEmbedding: raises an error for an unknown word
# Your module raises a KeyError for an unknown word. Use the id of [UNK] for it.
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
                ids[row, place] = self.vocab[word]
        return self.table(ids.to(self.table.weight.device))
