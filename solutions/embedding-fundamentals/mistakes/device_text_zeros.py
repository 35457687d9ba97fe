# TextEmbedding: the result is filled in on the CPU
# You put the vectors into a tensor of zeros that was created on the CPU, so the result is there.
# Look up all ids of the batch at once, or create the zeros where the table is.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        result = torch.zeros(len(texts), self.max_seq_len, self.table.embedding_dim)
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                number = self.vocab.get(word, self.vocab["[UNK]"])
                result[row, place] = self.table.weight[number]
        return result
