# picture: no colour bar
# The colour bar is missing.
mistakes = np.array([[3, 1, 0], [0, 2, 3], [0, 1, 2]])
figure, axes = plt.subplots()
image = axes.imshow(mistakes)
axes.set_xlabel("predicted")
axes.set_ylabel("true")
plt.show()
