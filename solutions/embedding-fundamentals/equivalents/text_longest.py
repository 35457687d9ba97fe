# TextEmbedding: T is the longest text
# pad_sequence fills up; an empty batch raises ValueError.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab, self.limit = vocab, max_seq_len
        self.pad, self.unk = vocab["[PAD]"], vocab["[UNK]"]
        self.embedding = nn.Embedding(len(vocab), d_model, padding_idx=self.pad)

    def forward(self, texts):
        if len(texts) == 0:
            raise ValueError("no texts")
        rows = [
            torch.tensor(
                [self.vocab.get(w, self.unk) for w in t.lower().split()][: self.limit],
                dtype=torch.long,
                device=self.embedding.weight.device,
            )
            for t in texts
        ]
        ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=self.pad)
        return self.embedding(ids)
