# pca_figure: another table
# The token table of a model of its own, with one line of text in the figure.
model = nn.Embedding(40, 12)
X = model.weight.detach()
X = X - X.mean(dim=0, keepdim=True)
_, S, Vh = torch.linalg.svd(X, full_matrices=False)
Z = X @ Vh[:2].T
evr = S**2 / torch.sum(S**2)
figure = plt.figure()
axes = figure.add_subplot()
axes.scatter(Z[:, 0], Z[:, 1])
axes.set_xlabel(f"PC1 ({evr[0]:.1%})")
axes.set_ylabel(f"PC2 ({evr[1]:.1%})")
plt.show()
