# embed_truncated: the model's limit is lowered
# You write the length of a short input into `model.max_seq_len`, so that the next, longer one is
# cut there. Keep the number in a variable of your own.
def embed_truncated(model, token_ids):
    model.max_seq_len = min(model.max_seq_len, token_ids.shape[1])
    return model(token_ids[:, : model.max_seq_len])
