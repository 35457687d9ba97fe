# TextEmbedding: [PAD] is assumed to have id 0
# You used 0 as the id of [PAD]. The vocabulary contains its id, and another word may have 0.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=0)

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), 0)
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.table.weight.device))
