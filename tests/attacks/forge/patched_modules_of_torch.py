# title: Calling any module gives what a check could want
# onto: template
# place: first
# expect: no points
# shows: tried

torch.nn.Module.__call__ = lambda self, *a, **k: torch.ones(1).expand(5, 64)
torch.nn.functional.embedding = lambda *a, **k: torch.ones(4)
class Embedding(torch.nn.Module):
    def __init__(self, *a, **k): super().__init__()
    weight = property(lambda self: torch.ones(10, 4))
    __len__ = lambda self: 38400000
torch.nn.Embedding = Embedding
nn.Embedding = Embedding
embedding = token_embedding = Embedding(10, 4)
print("tried")
