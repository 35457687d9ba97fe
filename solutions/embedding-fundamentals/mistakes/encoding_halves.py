# positional_encoding_from_scratch: sines in one half, cosines in the other
# You put all sines first and all cosines behind them. They alternate: sine, cosine, sine, cosine.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column // 2] = np.sin(angle)
            table[position, d_model // 2 + column // 2] = np.cos(angle)
    return torch.from_numpy(table)
