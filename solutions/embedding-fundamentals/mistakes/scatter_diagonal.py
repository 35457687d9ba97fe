# scatter_figure: the same column on both axes
# You drew the first column against itself, so all points are on a line. Use the two columns as the
# two axes.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, EPOCHS, RATE, SEED))
for names, _ in corpus_groups.values():
    points = table[[corpus_ids[name] for name in names]]
    plt.scatter(points[:, 0], points[:, 0])
plt.show()
