# pca_figure: eigenvectors of the covariance
# eigh, colours, and the numbers printed.
X = hidden_table().double().numpy()
X = X - X.mean(axis=0)
values, vectors = np.linalg.eigh(np.cov(X.T))
order = np.argsort(values)[::-1]
scores = X @ vectors[:, order[:2]]
share = values[order] / values.sum()
fig, ax = plt.subplots()
ax.scatter(scores[:, 0], scores[:, 1], c=range(24), cmap="twilight")
for token in range(24):
    ax.annotate(str(token), scores[token])
ax.set_title("Principal components")
plt.show()
print("explained variance:", share[:2])
