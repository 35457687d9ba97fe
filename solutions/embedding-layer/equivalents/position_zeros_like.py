# position_lookup: the first of all positions, as NumPy
# All rows 0 to T-1 are looked up and the first is kept; a batch axis of length 1 stays.
position_table = nn.Embedding(num_embeddings=16, embedding_dim=8)
positions = torch.arange(5).unsqueeze(0)
position_row_0 = position_table(positions)[:, 0].detach().numpy()
