# apply_rotary_emb: column indices without a device
# You selected columns by a torch.arange on the CPU; index_select and gather need the indices where
# the tensor is. Use device=x.device, or take slices.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = (table.unsqueeze(1) for table in cos_and_sin(freqs_cis))
    even = torch.arange(0, x.shape[-1], 2)
    first, second = x.index_select(-1, even), x.index_select(-1, even + 1)
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
