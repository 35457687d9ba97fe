# pca_figure: the rows are put in with their mean
# You took the mean row away to find the components, but not before you drew the rows in them.
rows = hidden_table()
left, sizes, right = torch.linalg.svd(rows - rows.mean(dim=0), full_matrices=False)
points = rows @ right[:2].T
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
