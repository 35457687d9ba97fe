# TextEmbedding: a dictionary of tensors
# You keep the id of each word as a tensor in a dictionary. `.to(device)` does not move it, and what
# you stack from it is on the CPU. Keep plain numbers there, and move the ids of the batch.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.numbers = {word: torch.tensor(number) for word, number in vocab.items()}
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        rows = []
        for text in texts:
            words = text.lower().split()[: self.max_seq_len]
            row = [self.numbers.get(word, self.numbers["[UNK]"]) for word in words]
            row += [self.numbers["[PAD]"]] * (self.max_seq_len - len(row))
            rows.append(torch.stack(row))
        return self.table(torch.stack(rows))
