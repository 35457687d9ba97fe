# TokenEmbedding: works where its parameters are
# The ids go to the device of the parameters; the allowed ids are made there in each call.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.layers = nn.ModuleList([nn.Embedding(vocab_size, embed_dim)])
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.02)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, token_ids):
        if token_ids.dtype not in [torch.int32, torch.int64]:
            raise ValueError("token ids must be integers")
        token_ids = token_ids.to(self.device)
        allowed = torch.arange(self.vocab_size, device=self.device)
        known = (token_ids[..., None] == allowed).any(dim=-1)
        if not torch.all(known):
            raise ValueError(f"unknown ids: {token_ids[~known].tolist()}")
        return self.layers[0](token_ids)
