# similarity_to_first: axes without labels
# Your curve has no labels. Say what the horizontal axis is and what the heights mean.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table, table[0], dim=1)


plt.plot(similarity_to_first(100, 64))
plt.show()
