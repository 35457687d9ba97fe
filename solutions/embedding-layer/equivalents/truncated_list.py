# embed_truncated: lists that are cut
# The ids go through lists and back to where they were.
def embed_truncated(model, token_ids):
    rows = [row[: model.max_seq_len] for row in token_ids.tolist()]
    return model(torch.tensor(rows, device=token_ids.device))
