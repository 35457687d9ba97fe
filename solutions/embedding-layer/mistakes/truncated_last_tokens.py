# embed_truncated: keeps the last tokens
# You keep the last tokens of a sequence. Keep the first ones.
def embed_truncated(model, token_ids):
    return model(token_ids[:, -model.max_seq_len :])
