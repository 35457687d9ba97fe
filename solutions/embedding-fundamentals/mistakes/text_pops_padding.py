# TextEmbedding: the special tokens are taken out of the vocabulary that is given
# You remove [PAD] and [UNK] from the dictionary that was handed in, and whoever made it finds them
# gone. Read their ids with `vocab["[PAD]"]`, or work on a copy.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        size, self.max_seq_len = len(vocab), max_seq_len
        self.pad, self.unk = vocab.pop("[PAD]"), vocab.pop("[UNK]")
        self.vocab = vocab
        self.table = nn.Embedding(size, d_model, padding_idx=self.pad)

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.pad)
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.unk)
        return self.table(ids.to(self.table.weight.device))
