# TextEmbedding: learned positions
# A second table for the positions, as in GPT-2; at least one place.
class TextEmbedding(nn.Module):
    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.words = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])
        self.places = nn.Embedding(max_seq_len, d_model)

    def forward(self, texts):
        split = [text.lower().split()[: self.max_seq_len] for text in texts]
        length = max([1, *map(len, split)])
        pad, weight = self.vocab["[PAD]"], self.words.weight
        ids = weight.new_full((len(texts), length), pad, dtype=torch.long)
        for row, words in enumerate(split):
            for place, word in enumerate(words):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.words(ids) + self.places(torch.arange(length, device=ids.device))
