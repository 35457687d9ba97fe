# scatter_figure: positions set by hand
# Your points are positions of your own choice, not what was trained. Draw the rows of the table
# that train_embeddings returns.
for number, (names, _) in enumerate(corpus_groups.values()):
    plt.scatter([4 * number + 0.1 * place for place in range(len(names))], [number] * len(names))
plt.show()
