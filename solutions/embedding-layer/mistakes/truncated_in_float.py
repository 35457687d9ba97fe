# embed_truncated: the result is converted to float32
# You converted the result to float32. It should keep the dtype of the model.
def embed_truncated(model, token_ids):
    return model(token_ids[:, : model.max_seq_len]).float()
