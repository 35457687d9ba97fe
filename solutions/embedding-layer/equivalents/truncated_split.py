# embed_truncated: the first of several pieces
# The ids are split into pieces of the largest length; the first one is used.
def embed_truncated(model, token_ids):
    first, *_ = torch.split(token_ids, model.max_seq_len, dim=1)
    return model(first)
