# pca_figure: singular values not squared
# You added up singular values as they are. Variance is proportional to their squares.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes / sizes.sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
