# position_lookup: the token's id used as its position
# You looked up a row by the id of a token. Look up the table of positions by position: the first
# token of any sequence gets row 0.
position_table = nn.Embedding(16, 8)
token_ids = torch.tensor([5, 3, 7])
position_row_0 = position_table(token_ids)[0]
