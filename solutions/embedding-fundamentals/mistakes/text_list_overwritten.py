# TextEmbedding: the list of texts is overwritten
# You write the words back into the list of texts that was handed in. Make a new list.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab, self.max_seq_len = vocab, max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        for row in range(len(texts)):
            words = texts[row].lower().split()[: self.max_seq_len]
            texts[row] = words + ["[PAD]"] * (self.max_seq_len - len(words))
        unknown = self.vocab["[UNK]"]
        ids = [[self.vocab.get(word, unknown) for word in words] for words in texts]
        return self.table(torch.tensor(ids, device=self.table.weight.device))
