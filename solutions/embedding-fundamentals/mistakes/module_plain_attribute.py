# PositionalEncoding: a plain attribute
# The table is a plain attribute. It stays behind when the model moves to another device, and it
# is not saved. Use register_buffer.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.table = table

    def forward(self, x):
        return x + self.table[: x.shape[1]]
