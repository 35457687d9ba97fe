# embed_truncated: short sequences are filled up
# You fill short sequences up to max_seq_len. They stay as they are here.
def embed_truncated(model, token_ids):
    limit = model.max_seq_len
    missing = max(0, limit - token_ids.shape[1])
    return model(F.pad(token_ids, (0, missing))[:, :limit])
