# embed_truncated: only when it is too long
# Cut along the last axis, with a warning, and only where needed.
def embed_truncated(model, token_ids):
    limit = model.max_seq_len
    if token_ids.shape[-1] > limit:
        import warnings

        warnings.warn("the input is cut")
        token_ids = token_ids[..., :limit]
    return model(token_ids)
