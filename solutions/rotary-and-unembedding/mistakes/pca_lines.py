# pca_figure: a line plot
# You drew a line. The rows have no order that a line could show; draw points, with scatter.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.plot(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
