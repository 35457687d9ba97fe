# pca_figure: random points
# Your points have nothing to do with the principal components of the table.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(torch.rand(24), torch.rand(24))
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
