# apply_rotary_emb: as nanochat does today, with a pair
# You copied the rotation of today's nanochat: it pairs halves, and it rotates clockwise. Here
# neighbours are a pair, and they rotate counterclockwise.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    first, second = x.chunk(2, dim=-1)
    turned = torch.cat((first * cos + second * sin, second * cos - first * sin), dim=-1)
    return turned.to(x.dtype)
