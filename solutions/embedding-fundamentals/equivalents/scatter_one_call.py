# scatter_figure: one call with a number per group
# Colours by a colour map; every word is written beside its point.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, EPOCHS, RATE, SEED))
shown = [(name, number) for number, g in enumerate(corpus_groups.values()) for name in g[0]]
places = [corpus_ids[name] for name, _ in shown]
fig, ax = plt.subplots()
ax.scatter(table[places, 0], table[places, 1], c=[number for _, number in shown], cmap="tab10")
for name, _ in shown:
    ax.annotate(name, table[corpus_ids[name]])
