# TextEmbedding: vector by vector
# Zeros on the device of the parameters are filled in, one lookup for each word.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.limit = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        device = next(self.parameters()).device
        out = torch.zeros(len(texts), self.limit, self.table.embedding_dim, device=device)
        for b, text in enumerate(texts):
            for t, word in enumerate(text.lower().split()[: self.limit]):
                number = self.vocab[word if word in self.vocab else "[UNK]"]
                out[b, t] = self.table(torch.tensor(number, device=device))
        return out
