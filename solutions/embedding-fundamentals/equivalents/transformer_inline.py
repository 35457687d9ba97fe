# TransformerEmbedding: without the earlier module
# A buffer of its own, the factor kept as a number.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.scale = d_model**0.5
        self.embedding = nn.Embedding(vocab_size, d_model)
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("pe", table)

    def forward(self, token_ids):
        length = token_ids.size(1)
        return self.embedding(token_ids) * self.scale + self.pe[:length].unsqueeze(0)
