# pe_heatmap: draws other numbers than the table
# Your picture does not show the encoding. Hand the table pe to imshow as it is.
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe[:, ::2], cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("embedding dimension")
plt.ylabel("position")
plt.colorbar()
plt.show()
