# GPT2Embeddings: position ids are kept from the first call
# You create the position ids in the first call and keep them. They stay on the device of that call,
# even if the module is moved. Register them as a buffer, or create them in every call.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)
        self.positions = None

    def forward(self, token_ids):
        if self.positions is None or len(self.positions) != token_ids.shape[1]:
            self.positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.wte(token_ids) + self.wpe(self.positions)
