# embed_truncated: writes into the ids
# You write into `token_ids`, so the tokens behind the limit are lost for whoever called the function.
# A slice leaves them as they are.
def embed_truncated(model, token_ids):
    kept = token_ids[:, : model.max_seq_len].clone()
    token_ids[:, model.max_seq_len :] = -1
    return model(kept)
