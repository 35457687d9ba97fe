# pe_heatmap: no axis labels
# Your axes have no labels. Label the axis of the positions and the axis of the dimensions.
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.colorbar()
plt.show()
