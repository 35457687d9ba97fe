# pca_figure: percent in the title
# pca_lowrank, two scatters in one panel, the sum as a whole percent.
X = hidden_table()
torch.manual_seed(3)
U, S, V = torch.pca_lowrank(X, q=24, niter=8)
Z = (X - X.mean(0)) @ V[:, :2]
total = (S[:2] ** 2).sum() / ((X - X.mean(0)) ** 2).sum()
plt.scatter(Z[:12, 0], Z[:12, 1], label="first half")
plt.scatter(-0 + Z[12:, 0], Z[12:, 1], label="second half")
plt.legend()
plt.title(f"PCA ({100 * total:.0f}% of variance explained)")
