# pca_figure: the second component to the right
# You drew the second component to the right and the first upwards. It should be the other way
# round.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 1], points[:, 0])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
