# embed_truncated: cuts the batch axis
# You cut the first axis of the ids, which counts sequences. Tokens are counted along the
# second.
def embed_truncated(model, token_ids):
    return model(token_ids[: model.max_seq_len])
