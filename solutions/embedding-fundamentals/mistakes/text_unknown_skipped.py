# TextEmbedding: unknown words are skipped
# You left unknown words out, so the words after them move up. An unknown word becomes [UNK] and
# keeps its position.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        for row, text in enumerate(texts):
            known = [word for word in text.lower().split() if word in self.vocab]
            for place, word in enumerate(known[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.table.weight.device))
