# embedding_lookup: a custom class that flattens the ids
# Your class flattens the ids, so a batch of sentences becomes one long list. nn.Embedding itself
# keeps every axis of the ids.
class MyEmbedding(nn.Embedding):
    def forward(self, ids):
        return self.weight[ids.reshape(-1)]


embedding = MyEmbedding(10, 4)
via_call = embedding(torch.tensor([3]))
via_index = embedding.weight[3]
