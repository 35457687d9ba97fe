# embed_truncated: gather along the axis of tokens
# The numbers of the columns are counted where the ids are.
def embed_truncated(model, token_ids):
    length = min(model.max_seq_len, token_ids.shape[1])
    columns = torch.ones_like(token_ids[:, :length]).cumsum(dim=1) - 1
    return model(token_ids.gather(1, columns))
