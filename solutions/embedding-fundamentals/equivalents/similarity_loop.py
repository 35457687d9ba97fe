# similarity_to_first: a loop over the rows
# The function of exercise 3 for each row; a list is returned. The curve is drawn on an Axes.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return [float(cosine_similarity(table[0], row)) for row in table]


fig, ax = plt.subplots()
ax.plot(range(100), similarity_to_first(100, 64), marker="o")
ax.set(xlabel="Position", ylabel="Cosine similarity", title="Similarity to position 0")
