# scatter_figure: all points in one colour
# All of your points have the same colour, so the groups cannot be seen. Give each group its own.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, 200, 0.05, 0))
ids = [corpus_ids[name] for names, _ in corpus_groups.values() for name in names]
plt.scatter(table[ids, 0], table[ids, 1])
plt.show()
