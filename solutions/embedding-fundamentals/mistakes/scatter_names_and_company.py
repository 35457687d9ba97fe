# scatter_figure: names in one colour, the other words in another
# Your colours separate the names from the words that occur with them, in all groups. Colour by
# group: royal, people, animals.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, EPOCHS, RATE, SEED))
for place, color in ((0, "red"), (1, "blue")):
    ids = [corpus_ids[word] for group in corpus_groups.values() for word in group[place]]
    plt.scatter(table[ids, 0], table[ids, 1], c=color)
plt.show()
