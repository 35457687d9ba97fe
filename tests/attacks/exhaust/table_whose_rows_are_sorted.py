# title: An own table of two million rows, which is sorted for each check that may carry it
# onto: template
# place: own
# expect: no points

def sinusoidal_positional_encoding(max_len, d_model):
    return torch.arange(4_000_000, dtype=torch.float32).reshape(-1, 2).flip(0)
import matplotlib.pyplot as plt
pe = torch.zeros(20, 64)
pe_matrix = torch.zeros(128, 64)
plt.imshow(pe)
