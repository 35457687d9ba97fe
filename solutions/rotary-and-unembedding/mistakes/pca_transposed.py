# pca_figure: a point for each column
# You have a point for each column of the table. Transpose it: there are 24 rows to draw.
rows = hidden_table().T
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
