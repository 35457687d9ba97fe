# GPT2Embeddings: the device is chosen by what the machine has
# You create the position ids on the accelerator if the machine has one, not where the token ids
# are. The module may be used on the CPU of the same machine: use `device=token_ids.device`.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        positions = torch.arange(token_ids.shape[1], device=device)
        return self.wte(token_ids) + self.wpe(positions)
