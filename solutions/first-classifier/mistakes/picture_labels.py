# picture: the labels are exchanged
# The labels of your axes are exchanged: imshow puts the rows, the true classes, on the y axis.
mistakes = np.array([[3, 1, 0], [0, 2, 3], [0, 1, 2]])
figure, axes = plt.subplots()
image = axes.imshow(mistakes)
axes.set_xlabel("true")
axes.set_ylabel("predicted")
figure.colorbar(image)
plt.show()
