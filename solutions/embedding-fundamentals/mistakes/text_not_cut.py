# TextEmbedding: long texts are not cut
# A text with more than max_seq_len words gives a longer result. Keep its first max_seq_len words.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        split = [text.lower().split() for text in texts]
        ids = torch.full((len(texts), max(1, *map(len, split))), self.vocab["[PAD]"])
        for row, words in enumerate(split):
            for place, word in enumerate(words):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.table.weight.device))
