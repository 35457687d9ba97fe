# pe_heatmap: the axis labels are swapped
# Your labels are swapped. imshow draws the rows of the array, which are the positions, down the y
# axis.
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("position")
plt.ylabel("embedding dimension")
plt.colorbar()
plt.show()
