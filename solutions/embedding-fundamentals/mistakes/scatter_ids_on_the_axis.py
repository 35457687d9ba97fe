# scatter_figure: the ids on one axis
# Your points have the id of the word on one axis and one column of the table on the other. Use the
# two columns as the two axes.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, EPOCHS, RATE, SEED))
for names, _ in corpus_groups.values():
    ids = [corpus_ids[name] for name in names]
    plt.scatter(ids, table[ids, 0])
plt.show()
