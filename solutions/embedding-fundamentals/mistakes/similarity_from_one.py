# similarity_to_first: the curve starts at 1
# Your curve is shifted to the right by one. Positions run from 0 to 99.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table, table[0], dim=1)


plt.plot(range(1, 101), similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
