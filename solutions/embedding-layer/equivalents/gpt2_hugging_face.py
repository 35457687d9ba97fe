# GPT2Embeddings: in the manner of a well-known library
# The position ids have a batch axis; _init_weights is applied to all modules.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim, initializer_range=0.02):
        super().__init__()
        self.initializer_range = initializer_range
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Embedding):
            module.weight.data.normal_(mean=0.0, std=self.initializer_range)

    def forward(self, input_ids, position_ids=None):
        if position_ids is None:
            position_ids = torch.arange(0, input_ids.size(-1), dtype=torch.long, device=input_ids.device)
            position_ids = position_ids.unsqueeze(0)
        return self.wte(input_ids) + self.wpe(position_ids)
