# embed_truncated: one token too many
# You keep one token too many. A slice `[:n]` has n tokens.
def embed_truncated(model, token_ids):
    return model(token_ids[:, : model.max_seq_len + 1])
