# scatter_figure: lines instead of points
# You drew lines. Each word is a point: plt.scatter.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, 200, 0.05, 0))
for names, _ in corpus_groups.values():
    points = table[[corpus_ids[name] for name in names]]
    plt.plot(points[:, 0], points[:, 1])
plt.show()
