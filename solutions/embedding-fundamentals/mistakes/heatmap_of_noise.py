# heatmap_figure: noise in place of the encoding
# Your image shows random numbers. Show the table that your function makes.
plt.imshow(np.random.rand(50, 32), cmap="RdBu")
plt.xlabel("dimension")
plt.ylabel("position")
plt.show()
