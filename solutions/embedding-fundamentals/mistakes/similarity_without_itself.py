# similarity_to_first: row 0 itself is left out
# Your result is one number short: you left out the cosine of row 0 with itself, which is 1.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table[1:], table[0], dim=1)


plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
