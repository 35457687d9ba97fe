# apply_rotary_emb: the table becomes a NumPy array
# You converted the table to a NumPy array. That works only for tensors on the CPU; torch has the
# same functions, and they work everywhere.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = (table.unsqueeze(1).numpy() for table in cos_and_sin(freqs_cis))
    cos, sin = torch.from_numpy(cos).to(x.device), torch.from_numpy(sin).to(x.device)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
