# title: Objects say that they are tensors, numbers and texts
# onto: template
# place: own
# expect: no points

class Lie:
    def __init__(self, kind): self.kind = kind
    __class__ = property(lambda self: self.kind)
    __float__ = __index__ = __int__ = lambda self: 38400000
    shape, dtype = torch.Size([20, 64]), torch.float32
    detach = cpu = contiguous = numpy = lambda self: self
pe = one_hot = Lie(torch.Tensor)
embedding = token_embedding = Lie(nn.Embedding)
big_params = doubled_vocab_params = halved_dim_params = Lie(int)
frequency_order = Lie(str)
