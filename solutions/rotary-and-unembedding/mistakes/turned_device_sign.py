# apply_rotary_emb: signs without a device
# You created a tensor of signs on the CPU, and multiplied numbers by it that may be elsewhere.
# Create it where `x` is: device=x.device.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = (table[:, None, :, None] for table in cos_and_sin(freqs_cis))
    pairs = x.unflatten(-1, (-1, 2))
    sign = torch.tensor([-1.0, 1.0])
    return (pairs * cos + pairs.flip(-1) * sign * sin).flatten(3).to(x.dtype)
