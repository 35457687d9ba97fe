# apply_rotary_emb: a loop over positions and pairs
# Slices are put together at the end.
def apply_rotary_emb(x, freqs_cis):
    rows = []
    for t in range(x.shape[1]):
        columns = []
        for i in range(x.shape[3] // 2):
            cos, sin = freqs_cis[t, i].real, freqs_cis[t, i].imag
            a, b = x[:, t, :, 2 * i].float(), x[:, t, :, 2 * i + 1].float()
            columns += [a * cos - b * sin, a * sin + b * cos]
        rows.append(torch.stack(columns, dim=-1))
    return torch.stack(rows, dim=1).to(x.dtype)
