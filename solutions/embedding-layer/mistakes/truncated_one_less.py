# embed_truncated: one token too few
# You cut one token too many: a sequence of max_seq_len tokens still fits.
def embed_truncated(model, token_ids):
    return model(token_ids[:, : model.max_seq_len - 1])
