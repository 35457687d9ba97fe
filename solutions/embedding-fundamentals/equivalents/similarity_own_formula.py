# similarity_to_first: a formula of its own, in float32
# The table is made here without the earlier function, by float32 powers; then matmul and norms.
def similarity_to_first(seq_len, d_model):
    position = torch.arange(seq_len).float()[:, None]
    angles = position / 10000.0 ** (torch.arange(0, d_model, 2).float() / d_model)
    table = torch.cat([angles.sin(), angles.cos()], dim=1)  # the order of columns does not matter
    return torch.mv(table, table[0]) / (table.norm(dim=1) * table[0].norm())


plt.plot(np.arange(100), np.array(similarity_to_first(100, 64)), ".-")
plt.xlabel("Position")
plt.ylabel("Similarity")
plt.grid()
