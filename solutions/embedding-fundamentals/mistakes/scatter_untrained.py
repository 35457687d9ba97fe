# scatter_figure: a table that was never trained
# Your points come from a new table, where the words are at random positions. Draw what
# train_embeddings returns.
torch.manual_seed(3)
table = torch.randn(len(corpus_words), 2)
for names, _ in corpus_groups.values():
    points = table[[corpus_ids[name] for name in names]]
    plt.scatter(points[:, 0], points[:, 1])
plt.show()
