# similarity_to_first: row 0 of all cosines
# All pairs of unit rows are multiplied, and the first row is kept.
def similarity_to_first(seq_len, d_model):
    unit = F.normalize(torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model)), dim=1)
    return (unit @ unit.T)[0]


plt.plot(np.arange(100), similarity_to_first(100, 64).numpy(), "g--", label="D = 64")
plt.axhline(0, color="grey")
plt.xlabel("position p")
plt.ylabel("cos(PE[0], PE[p])")
plt.legend()
plt.show()
