# pca_figure: the explained variance is missing
# You do not say how much of the variance the picture shows. Put the number in the title or an
# axis label, or print it.
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title("24 tokens")
plt.show()
