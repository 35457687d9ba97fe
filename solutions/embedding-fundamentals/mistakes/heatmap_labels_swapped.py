# heatmap_figure: the labels are swapped
# Your labels are on the wrong axes. imshow draws the rows of the table, which are the positions,
# from top to bottom.
plt.imshow(positional_encoding_from_scratch(50, 32), cmap="RdBu")
plt.xlabel("position")
plt.ylabel("dimension")
plt.show()
