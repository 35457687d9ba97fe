# picture: shares are shown
# Your matrix is right, but the image shows shares.
mistakes = np.array([[3, 1, 0], [0, 2, 3], [0, 1, 2]])
figure, axes = plt.subplots()
image = axes.imshow(mistakes / mistakes.sum(axis=1, keepdims=True))
axes.set_xlabel("predicted")
axes.set_ylabel("true")
figure.colorbar(image)
plt.show()
