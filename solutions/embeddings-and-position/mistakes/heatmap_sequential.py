# pe_heatmap: a sequential colour map
# Your colour map goes from dark to bright, so zero has no colour of its own. Use a diverging map
# such as RdBu, so that the colour shows the sign.
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe, cmap="viridis", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("embedding dimension")
plt.ylabel("position")
plt.colorbar()
plt.show()
