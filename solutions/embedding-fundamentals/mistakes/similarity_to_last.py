# similarity_to_first: the last row instead of the first
# You compared with the last row. Compare all rows with row 0; then the first cosine is 1.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table, table[-1], dim=1)


plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
