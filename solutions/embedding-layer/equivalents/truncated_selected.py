# embed_truncated: columns chosen by index_select
# The first columns are chosen by their numbers.
def embed_truncated(model, token_ids):
    columns = torch.arange(token_ids.shape[1]).to(token_ids.device)
    return model(token_ids.index_select(1, columns[columns < model.max_seq_len]))
