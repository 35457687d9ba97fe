# GPT2Embeddings: added in float64 on the CPU, moved back
# The sum is taken in float64 on the CPU, converted, and moved to where the ids are.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.embed = nn.ModuleList([nn.Embedding(n, embed_dim) for n in (vocab_size, max_seq_len)])
        for one in self.embed:
            nn.init.normal_(one.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        rows = [self.embed[1](torch.tensor(t, device=token_ids.device)) for t in range(token_ids.shape[1])]
        total = self.embed[0](token_ids).cpu().double() + torch.stack(rows).cpu().double()
        return total.float().to(token_ids.device)
