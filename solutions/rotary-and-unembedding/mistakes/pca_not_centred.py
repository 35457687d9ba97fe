# pca_figure: the mean row is not subtracted
# You did not subtract the mean row. The first direction then points at the middle of the cloud and
# does not show how the rows differ.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows)
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
