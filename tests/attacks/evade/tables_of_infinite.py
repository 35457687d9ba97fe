# title: Tables whose rows cannot be told apart: infinite
# onto: template
# place: own
# expect: no points
# must pass: embedding_lookup/table
# may pass: embedding_lookup/any-ids, input_pipeline/token-table, input_pipeline/position-table
# may pass: input_pipeline/ids

def fill(t):
    with torch.no_grad():
        return t.fill_(float('inf')) if float('inf') is not None else t.copy_(torch.rand(t.shape) * 1e-8)
embedding, token_embedding, pos_embedding = (
    nn.Embedding(10, 4), nn.Embedding(100, 64), nn.Embedding(128, 64))
for module in (embedding, token_embedding, pos_embedding): fill(module.weight)
row = fill(torch.zeros(4)); table = fill(torch.zeros(10, 4)); five = fill(torch.zeros(5, 64))
via_call = via_index = via_matmul = via_lookup = row
via_matmul_all = via_lookup_all = table
pe_matrix = fill(torch.zeros(128, 64)); model_input = model_input_learned = five
token_ids = torch.tensor([23, 45, 12, 67, 89])
