# pca_figure: fewer than ten points
# You drew only a few of the rows. There are 24: draw them all.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:8, 0], points[:8, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
