# bag_of_words: compares sums instead of rows
# Did you compare sums over the positions? A sum is the same in any order, with encodings as well as
# without, so it cannot tell whether the bags are equal: compare the rows.
table = nn.Embedding(4, 16)
waves = sinusoidal_positional_encoding(5, 16)
a, b = table(ids_first).detach(), table(ids_second).detach()

equal_without_positions = torch.allclose(a.sum(0), b.sum(0), atol=1e-5)
equal_with_positions = torch.allclose((a + waves).sum(0), (b + waves).sum(0), atol=1e-5)
