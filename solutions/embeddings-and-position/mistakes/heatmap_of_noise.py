# pe_heatmap: draws numbers that are not the table's
# Your picture does not show the encoding. Pass the table pe to imshow as it is.
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe[:, ::2], cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("embedding dimension")
plt.ylabel("position")
plt.colorbar()
plt.show()
