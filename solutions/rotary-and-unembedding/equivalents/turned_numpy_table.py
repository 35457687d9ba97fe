# apply_rotary_emb: the table through NumPy and back
# Moved to the CPU for NumPy, and back to the device of x.
def apply_rotary_emb(x, freqs_cis):
    table = freqs_cis.detach().cpu().numpy()
    cos = torch.from_numpy(np.ascontiguousarray(table.real)).to(x.device)[:, None]
    sin = torch.as_tensor(np.array(table.imag), device=x.device)[:, None]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).view(*x.shape).to(x.dtype)
