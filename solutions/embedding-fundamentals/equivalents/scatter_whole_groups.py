# scatter_figure: names and company
# All words of a group in its colour: two clusters of one colour each.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, 200, 0.05, 0))
for color, (names, company) in zip("rgb", corpus_groups.values()):
    points = np.array([table[corpus_ids[word]] for word in names + company])
    plt.scatter(*points.T, c=color)
