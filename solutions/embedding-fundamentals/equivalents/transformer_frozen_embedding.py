# TransformerEmbedding: positions in a frozen nn.Embedding
# Made of the table with from_pretrained; positions are made on the device of the ids.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.factor = math.sqrt(d_model)
        self.embedding = nn.Embedding(vocab_size, d_model)
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.places = nn.Embedding.from_pretrained(table, freeze=True)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.size(1), device=token_ids.device)
        return self.embedding(token_ids) * self.factor + self.places(positions.expand_as(token_ids))
