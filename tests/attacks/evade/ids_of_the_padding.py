# title: Ids that are all the row of zeros, so that the sum is the positions alone
# onto: template
# place: own
# expect: any points
# must fail: input_pipeline/sum, input_pipeline/learned-sum

token_embedding = nn.Embedding(100, 64, padding_idx=0)
pos_embedding = nn.Embedding(128, 64)
token_ids = torch.zeros(5, dtype=torch.long)
pe_matrix = torch.rand(128, 64)
model_input = pe_matrix[:5]
model_input_learned = pos_embedding(torch.arange(5))
