# embed_truncated: column indices on the CPU
# You select columns by indices that are created on the CPU, and the ids may be elsewhere. Use
# `device=token_ids.device`, or take a slice.
def embed_truncated(model, token_ids):
    length = min(token_ids.shape[1], model.max_seq_len)
    return model(torch.index_select(token_ids, 1, torch.arange(length)))
