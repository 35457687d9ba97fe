# bag_of_words: compares position by position
# Did you compare the first row with the first, the second with the second, and so on? In a bag the
# order does not matter: sort the rows, or count them, before you compare.
table = nn.Embedding(4, 16)
waves = sinusoidal_positional_encoding(5, 16)
a, b = table(ids_first).detach(), table(ids_second).detach()

equal_without_positions = torch.equal(a, b)
equal_with_positions = torch.equal(a + waves, b + waves)
