# apply_rotary_emb: moved to a device of its own choice
# You moved everything to the accelerator because the machine has one. The caller decides where to
# compute: stay on the device of `x`.
def apply_rotary_emb(x, freqs_cis):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    cos, sin = (table.unsqueeze(1).to(device) for table in cos_and_sin(freqs_cis))
    first, second = x.to(device)[..., 0::2], x.to(device)[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
