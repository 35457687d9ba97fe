# positional_encoding_from_scratch: the math module
# Pairs counted one by one, math.sin and math.cos, a list of lists at the end.
def positional_encoding_from_scratch(seq_len, d_model):
    rows = []
    for p in range(seq_len):
        row = []
        for i in range(d_model // 2):
            angle = p / math.pow(10000, 2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32)
