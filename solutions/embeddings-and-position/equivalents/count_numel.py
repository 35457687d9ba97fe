# parameter_count: counted on tables of the meta device
# The tables are made without memory and their entries counted; one answer is a 0-d tensor, one
# a float.
def count(rows, columns):
    table = nn.Embedding(rows, columns, device="meta")
    return sum(p.numel() for p in table.parameters())


big_params = count(50_000, 768)
doubled_vocab_params = torch.tensor(count(100_000, 768))
halved_dim_params = big_params / 2
