# pe_heatmap: turned, with the labels turned too
# The positions run along the x axis and the labels agree.
pe = sinusoidal_positional_encoding(20, 64)

plt.matshow(pe.T, cmap="seismic", vmin=-1, vmax=1)
plt.xlabel("Position")
plt.ylabel("Embedding dimension")
plt.colorbar()
plt.show()
