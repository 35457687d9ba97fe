# PositionalEncoding: a formula of its own
# The earlier function is not used; dropout of zero does nothing.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(max_seq_len)[:, None]
        rate = torch.pow(10000.0, -torch.arange(0, d_model, 2) / d_model)
        table = torch.stack([torch.sin(position * rate), torch.cos(position * rate)], dim=2)
        self.register_buffer("table", table.flatten(1))

    def forward(self, x):
        length = x.shape[-2]
        return self.dropout(torch.add(x, self.table.narrow(0, 0, length)))
