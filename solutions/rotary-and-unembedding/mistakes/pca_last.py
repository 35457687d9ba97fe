# pca_figure: the components of least variance
# You took components of small variance: eigenvalues are often in ascending order. The first two
# components are those of the largest.
rows = hidden_table()
middle = rows - rows.mean(dim=0)
values, vectors = torch.linalg.eigh(middle.T @ middle)
points = middle @ vectors[:, -4:-2].flip(1)
explained = values[-4:-2].flip(0) / values.sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
