# picture: predicted classes as rows
# Your rows are the predicted classes. They are to be the true ones.
mistakes = np.array([[3, 1, 0], [0, 2, 3], [0, 1, 2]]).T
figure, axes = plt.subplots()
image = axes.imshow(mistakes)
axes.set_xlabel("true")
axes.set_ylabel("predicted")
figure.colorbar(image)
plt.show()
