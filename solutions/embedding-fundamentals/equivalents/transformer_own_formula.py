# TransformerEmbedding: a formula of its own
# The encoding is computed in every call, in float64 on the CPU, and moved to the ids.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)

    def forward(self, token_ids):
        p = torch.arange(token_ids.shape[-1], dtype=torch.float64)[:, None]
        rate = 10000.0 ** (-torch.arange(0, self.d_model, 2, dtype=torch.float64) / self.d_model)
        table = torch.stack([(p * rate).sin(), (p * rate).cos()], dim=-1).flatten(1)
        table = table.float().to(token_ids.device)
        return self.embedding(token_ids) * math.sqrt(self.d_model) + table
