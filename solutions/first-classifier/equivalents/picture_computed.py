# picture: computed
# Computed from the twelve flowers, shown by matshow.
mistakes = [[int(((truth == i) & (predicted == j)).sum()) for j in range(3)] for i in range(3)]
plt.matshow(np.array(mistakes))
plt.ylabel("true class")
plt.xlabel("predicted class")
plt.colorbar()
plt.show()
