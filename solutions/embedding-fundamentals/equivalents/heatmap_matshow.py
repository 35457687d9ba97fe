# heatmap_figure: matshow
# Shown by matshow, closed afterwards.
plt.matshow(np.asarray(positional_encoding_from_scratch(50, 32)), cmap="coolwarm")
plt.xlabel("Dimension index")
plt.ylabel("Position in sequence")
plt.colorbar()
plt.title("Sinusoidal encoding")
plt.show()
plt.close("all")
