# apply_rotary_emb: a backward of its own
# A torch.autograd.Function: the gradient is rotated back.
class Turning(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(3).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        cos, sin = ctx.saved_tensors
        a, b = g[..., ::2], g[..., 1::2]
        back = torch.stack((a * cos + b * sin, b * cos - a * sin), -1).flatten(3)
        return back.to(g.dtype), None, None


def apply_rotary_emb(x, freqs_cis):
    return Turning.apply(x, freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1))
