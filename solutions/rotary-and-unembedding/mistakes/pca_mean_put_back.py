# pca_figure: the rows are projected with their mean
# You subtracted the mean row to find the components, but not before you projected the rows onto
# them.
rows = hidden_table()
left, sizes, right = torch.linalg.svd(rows - rows.mean(dim=0), full_matrices=False)
points = rows @ right[:2].T
explained = sizes**2 / (sizes**2).sum()
plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.title(f"explained variance {explained[0]:.3f}, {explained[1]:.3f}")
plt.show()
