# heatmap_figure: the products of all pairs of rows
# Your image shows the products of all pairs of rows, 50 x 50. Show the table itself.
table = positional_encoding_from_scratch(50, 32)
plt.imshow(table @ table.T, cmap="RdBu")
plt.xlabel("dimension")
plt.ylabel("position")
plt.show()
