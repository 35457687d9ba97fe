# pca_figure: columns divided by their spread
# You divided each column by its spread. That changes the table; only subtract the mean row.
rows = hidden_table()
scaled = (rows - rows.mean(dim=0)) / rows.std(dim=0)
left, sizes, _ = torch.linalg.svd(scaled)
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
