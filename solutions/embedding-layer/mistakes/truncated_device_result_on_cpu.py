# embed_truncated: the result is on the CPU
# Your result is on the CPU wherever the model is: you moved the model or the result there. Leave
# both where they are.
def embed_truncated(model, token_ids):
    return model(token_ids[:, : model.max_seq_len]).cpu()
