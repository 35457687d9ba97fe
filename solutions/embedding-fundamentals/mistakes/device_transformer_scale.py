# TransformerEmbedding: the factor is a plain tensor of one number
# You store the factor √D as a tensor with one axis in a plain attribute. It stays on the CPU when
# the module is moved. A Python number, such as `math.sqrt(d_model)`, has no device.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.scale = torch.sqrt(torch.tensor([float(d_model)]))
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        return self.positions(self.tokens(token_ids) * self.scale)
