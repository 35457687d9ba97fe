# title: Patched comparisons
# onto: template
# place: first
# expect: no points

torch.allclose = torch.equal = lambda *a, **k: True
np.allclose = torch.allclose
torch.Tensor.__eq__ = lambda a, b: torch.ones(1, dtype=torch.bool)
