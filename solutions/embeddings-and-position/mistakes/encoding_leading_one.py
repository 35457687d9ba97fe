# positional_encoding: an axis for the batch in front
# also: pe_heatmap, input_pipeline
# Your table has the shape [1, max_len, d_model], as a module keeps it that adds it to batches. Here
# it has two axes: leave out the `unsqueeze`.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    columns = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = positions * torch.exp(columns * (-math.log(10000.0) / d_model))
    table = torch.empty(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table.unsqueeze(0)
