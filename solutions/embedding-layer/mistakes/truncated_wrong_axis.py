# embed_truncated: cuts the batch axis
# You cut the first axis of the ids, which is the sequences. The second axis is the tokens.
def embed_truncated(model, token_ids):
    return model(token_ids[: model.max_seq_len])
