# pca_figure: shares of the two components only
# Your two shares add up to 100 %. Divide by the variance of all components.
rows = hidden_table()
left, sizes, right = torch.linalg.svd(rows - rows.mean(dim=0), full_matrices=False)
points = left[:, :2] * sizes[:2]
explained = sizes[:2] ** 2 / (sizes[:2] ** 2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
