# similarity_to_first: each row with the next one
# You compared each row with the one before it. Compare all rows with row 0.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table, table[(torch.arange(seq_len) - 1).clamp(min=0)], dim=1)


plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
