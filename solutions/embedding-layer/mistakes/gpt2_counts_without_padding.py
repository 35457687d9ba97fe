# GPT2Embeddings: positions that leave out id 0
# You count positions only over the tokens that are not id 0. Positions are 0, 1, ..., T-1 for every
# sequence, whatever the ids are.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        positions = ((token_ids != 0).cumsum(dim=1) - 1).clamp(min=0)
        return self.wte(token_ids) + self.wpe(positions)
