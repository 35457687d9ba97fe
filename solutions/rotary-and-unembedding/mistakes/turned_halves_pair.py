# apply_rotary_emb: first half with second half, with a pair
# You paired the first half of the vector with its second half, as nanochat does today. Here
# neighbours are a pair: (0, 1), (2, 3) and so on.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    first, second = x.chunk(2, dim=-1)
    turned = torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.to(x.dtype)
