# similarity_to_first: columns instead of rows
# You compared the first column with all columns. Positions are the rows of the table.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model)).T
    return F.cosine_similarity(table, table[0], dim=1)


plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
