# embed_truncated: numbers of columns on the CPU
# You choose columns by numbers that are made on the CPU, and the ids may be elsewhere. Make the
# numbers with `device=token_ids.device`, or take a slice.
def embed_truncated(model, token_ids):
    length = min(token_ids.shape[1], model.max_seq_len)
    return model(torch.index_select(token_ids, 1, torch.arange(length)))
