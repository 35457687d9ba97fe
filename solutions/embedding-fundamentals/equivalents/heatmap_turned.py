# heatmap_figure: positions from left to right
# The table is transposed, and so are the labels; viridis and a colour bar.
fig, ax = plt.subplots(figsize=(8, 4))
mesh = ax.pcolormesh(np.asarray(positional_encoding_from_scratch(50, 32)).T)
ax.set_xlabel("Position")
ax.set_ylabel("Embedding dimension")
fig.colorbar(mesh)
