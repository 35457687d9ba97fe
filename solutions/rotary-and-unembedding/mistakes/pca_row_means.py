# pca_figure: the mean of each row, or of the whole table, is subtracted
# You subtracted the mean of each row, or of the whole table. Subtract the mean row, one
# number per column.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=1, keepdim=True))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
