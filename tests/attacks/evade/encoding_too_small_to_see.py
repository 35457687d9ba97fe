# title: An own encoding of a billionth, so that embed_tokens need not add it
# onto: template
# place: own
# expect: any points
# must fail: positional_encoding/bounds-and-rows
# must fail: input_pipeline/function-example, input_pipeline/function
# must fail: pe_heatmap/table, pe_heatmap/picture, input_pipeline/encoding-table

def sinusoidal_positional_encoding(max_len, d_model):
    return (torch.arange(max_len * d_model).reshape(max_len, d_model) * 1e-12).float()
def embed_tokens(token_ids, token_embedding):
    return token_embedding(token_ids)
def embed_tokens(a, b):
    return a(b) if isinstance(a, nn.Module) else b(a)
pe = torch.zeros(20, 64)
pe_matrix = torch.zeros(128, 64)
import matplotlib.pyplot as plt
plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("dimension"); plt.ylabel("position"); plt.colorbar()
