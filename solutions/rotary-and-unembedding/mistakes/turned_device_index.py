# apply_rotary_emb: numbers of columns without a device
# You picked columns by a torch.arange on the CPU; index_select and gather want the numbers where
# the tensor is. Make them with device=x.device, or take slices.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = (table.unsqueeze(1) for table in cos_and_sin(freqs_cis))
    even = torch.arange(0, x.shape[-1], 2)
    first, second = x.index_select(-1, even), x.index_select(-1, even + 1)
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
