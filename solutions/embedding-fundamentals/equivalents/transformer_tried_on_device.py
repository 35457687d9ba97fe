# TransformerEmbedding: tried on whatever the machine has
# The cell chooses a device and moves a module of its own there; the class knows nothing of it.
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        vectors = self.embedding(token_ids)
        return self.positions(vectors * math.sqrt(vectors.size(-1)))


model = TransformerEmbedding(10, 4, 6).to(device)
print(model(torch.tensor([[1, 2, 3]]).to(device)).shape, next(model.parameters()).device)
