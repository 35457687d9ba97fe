# scatter_figure: a colour for each word
# Every word has a different colour. The words of one group should share a colour.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, 200, 0.05, 0))
ids = [corpus_ids[name] for names, _ in corpus_groups.values() for name in names]
plt.scatter(table[ids, 0], table[ids, 1], c=range(len(ids)))
plt.show()
