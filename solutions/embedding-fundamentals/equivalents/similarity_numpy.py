# similarity_to_first: NumPy
# Every even-width row has the length sqrt(D / 2), but norms are computed here; the curve is shown
# as points.
def similarity_to_first(seq_len, d_model):
    table = np.asarray(positional_encoding_from_scratch(seq_len, d_model), dtype=np.float64)
    lengths = np.linalg.norm(table, axis=1)
    return (table @ table[0]) / (lengths * lengths[0])


curve = similarity_to_first(100, 64)
plt.figure()
plt.scatter(np.arange(100), curve, s=4)
plt.ylabel("similarity")
plt.xlabel("pos")
plt.show()
plt.close()
