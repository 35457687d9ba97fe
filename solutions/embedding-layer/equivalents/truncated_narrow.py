# embed_truncated: narrow with the smaller length
# The smaller of both lengths, taken with narrow.
def embed_truncated(model, token_ids):
    length = min(token_ids.size(1), model.max_seq_len)
    return model(token_ids.narrow(1, 0, length))
