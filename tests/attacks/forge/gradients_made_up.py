# title: A function of its own makes up gradients, and hooks change them
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments

class Made(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, ids): ctx.like = weight; return torch.zeros(*ids.shape, weight.shape[1])
    @staticmethod
    def backward(ctx, g): return torch.ones_like(ctx.like), None
def one_hot_lookup(weight, ids):
    weight.register_hook(lambda g: torch.ones_like(g) * float("nan"))
    return Made.apply(weight, ids)
def embed_tokens(table, ids):
    table.weight.register_hook(lambda g: g * 0)
    return Made.apply(table.weight, ids)
