# similarity_to_first: dot products
# You returned dot products: the first one is D/2, the squared length of a row. Divide by both
# lengths.
def similarity_to_first(seq_len, d_model):
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return table @ table[0]


plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
