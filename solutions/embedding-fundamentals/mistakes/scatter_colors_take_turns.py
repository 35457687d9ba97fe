# scatter_figure: colours that do not match the groups
# Your colours change from word to word, so words of one group have different ones. Colour by group.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, 200, 0.05, 0))
ids = [corpus_ids[name] for names, _ in corpus_groups.values() for name in names]
plt.scatter(table[ids, 0], table[ids, 1], c=[place % 3 for place in range(len(ids))])
plt.show()
