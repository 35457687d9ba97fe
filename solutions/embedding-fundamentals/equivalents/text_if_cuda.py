# TextEmbedding: to the GPU where the table is on one
# A NumPy array of ids becomes a tensor, and goes to the GPU if the table is there.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.limit = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        ids = np.full((len(texts), self.limit), self.vocab["[PAD]"])
        for b, text in enumerate(texts):
            for t, word in enumerate(text.lower().split()[: self.limit]):
                ids[b, t] = self.vocab.get(word, self.vocab["[UNK]"])
        ids = torch.from_numpy(ids)
        if self.table.weight.is_cuda:
            ids = ids.cuda()
        return self.table(ids.to(self.table.weight.device))
