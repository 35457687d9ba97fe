# positional_encoding_from_scratch: angles in degrees
# You converted the angles from degrees. The formula is in radians already: position 1 turns the
# first pair by one radian.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = np.deg2rad(position / 10000 ** (column / d_model))
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
