# similarity_to_first: distances
# You returned distances between the rows, so the first number is 0 and the curve rises. The cosines
# start with 1.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return (table - table[0]).norm(dim=1)


plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
