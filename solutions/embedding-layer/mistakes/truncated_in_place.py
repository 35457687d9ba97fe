# embed_truncated: writes into the ids
# You write into `token_ids`, so the caller loses the tokens after the limit. A slice does not
# change them.
def embed_truncated(model, token_ids):
    kept = token_ids[:, : model.max_seq_len].clone()
    token_ids[:, model.max_seq_len :] = -1
    return model(kept)
