# similarity_to_first: a different curve is drawn
# Your figure shows a column of the encoding. Draw what similarity_to_first returns.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table, table[0], dim=1)


plt.plot(positional_encoding_from_scratch(100, 64)[:, 0])
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
