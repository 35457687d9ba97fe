# PositionalEncoding: float32 powers, and a copy of x
# A table of its own by division; x is cloned and the clone changed in place.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        column = torch.arange(d_model)
        power = torch.pow(10000.0, (column - column % 2).float() / d_model)
        angles = torch.arange(max_seq_len).float().unsqueeze(1) / power
        table = torch.where(column % 2 == 0, torch.sin(angles), torch.cos(angles))
        self.register_buffer("positional", table[None])

    def forward(self, x):
        out = x.clone()
        out += self.positional[:, : x.size(1)]
        return out
