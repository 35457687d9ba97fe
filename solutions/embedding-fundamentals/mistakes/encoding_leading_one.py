# positional_encoding_from_scratch: an axis for the batch in front
# also: similarity_to_first, heatmap_figure
# Your table has the shape [1, seq_len, d_model], as a module keeps it that adds it to batches. Here
# it has two axes: leave out the `unsqueeze`.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.empty((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table).unsqueeze(0)
