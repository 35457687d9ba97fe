# pe_heatmap: zero is not in the middle of the colours
# The pale middle of your colour map is not at zero. Choose vmin and vmax of equal size and
# opposite sign.
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
plt.xlabel("embedding dimension")
plt.ylabel("position")
plt.colorbar()
plt.show()
