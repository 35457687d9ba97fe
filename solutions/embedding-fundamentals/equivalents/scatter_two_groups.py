# scatter_figure: two groups, words one by one
# A call for each word, with a colour name.
table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, EPOCHS, RATE, seed=SEED))
colors = {"royal": "purple", "animals": "green"}
for group, color in colors.items():
    for name in corpus_groups[group][0]:
        x, y = table[corpus_ids[name]]
        plt.scatter(x, y, color=color)
        plt.text(x, y, name)
plt.title("Words in two dimensions")
plt.show()
