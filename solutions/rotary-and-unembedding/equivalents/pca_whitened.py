# pca_figure: a unit circle of scores
# Scores of equal length, signs flipped; the variances themselves are given.
rows = hidden_table()
rows = rows - rows.mean(dim=0)
left, sizes, right = torch.linalg.svd(rows, full_matrices=False)
variances = sizes**2 / 23
plt.scatter(-left[:, 0] * sizes[0], left[:, 1] * sizes[1])
told = f"{variances[0]:.2f} and {variances[1]:.2f} of {variances.sum():.2f}"
plt.suptitle(f"explained variance {told}")
plt.show()
