# batch_embedding: a class of its own, and indexing
# A subclass of nn.Embedding; ids as an array, vectors by indexing the weight.
class WordTable(nn.Embedding):
    """A table of words."""


batch_embedding = WordTable(12, 3)
batch_ids = np.array([[1, 2], [3, 4], [5, 0], [11, 10]])
batch_vectors = batch_embedding.weight[torch.from_numpy(batch_ids)]
