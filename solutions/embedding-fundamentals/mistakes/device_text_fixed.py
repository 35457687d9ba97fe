# TextEmbedding: ids on the accelerator, wherever the table is
# You put the ids on the accelerator if the machine has one. The module may still be on the CPU: use
# the table's device, `self.table.weight.device`, in every call.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])

    def forward(self, texts):
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.device))
