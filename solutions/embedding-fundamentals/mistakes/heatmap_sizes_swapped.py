# heatmap_figure: the two sizes are swapped
# Your image has 32 positions, 50 wide. The length comes first: 50 positions, 32 wide.
plt.imshow(positional_encoding_from_scratch(32, 50), cmap="RdBu")
plt.xlabel("dimension")
plt.ylabel("position")
plt.show()
