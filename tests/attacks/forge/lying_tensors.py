# title: Lying tensors
# onto: template
# place: own
# expect: no points

class L(torch.Tensor):
    __torch_function__ = classmethod(lambda c, f, t, a=(), k=None: True)
    shape = torch.Size([20, 64]); dtype = torch.float32
class D(torch.Tensor):
    __new__ = lambda c: torch.Tensor._make_wrapper_subclass(c, (5, 4))
    def __torch_dispatch__(*a, **k): raise SystemExit
pe = one_hot = torch.zeros(3).as_subclass(L); trained_emb = D()
