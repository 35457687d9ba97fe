# heatmap_figure: noise instead of the encoding
# Your image shows random numbers. Show the table that your function returns.
plt.imshow(np.random.rand(50, 32), cmap="RdBu")
plt.xlabel("dimension")
plt.ylabel("position")
plt.show()
