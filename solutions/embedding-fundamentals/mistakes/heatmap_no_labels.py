# heatmap_figure: axes without labels
# Your picture has no labels. Say which axis is the position and which one the dimension.
plt.imshow(positional_encoding_from_scratch(50, 32), cmap="RdBu")
plt.show()
