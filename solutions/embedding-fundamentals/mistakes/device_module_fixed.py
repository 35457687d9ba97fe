# PositionalEncoding: to the accelerator, whatever `x` is on
# Your module moves all to the accelerator as soon as the machine has one, and gives its result
# there although `x` is on the CPU. The device of `x` decides, not what the machine has.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        return x.to(self.device) + self.table.to(self.device)[: x.shape[1]]
