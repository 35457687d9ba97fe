# embed_truncated: ids cut as a NumPy array
# You turn the ids into a NumPy array to cut them. That works only on the CPU; a slice of the tensor
# works everywhere.
def embed_truncated(model, token_ids):
    ids = token_ids.numpy()[:, : model.max_seq_len]
    return model(torch.from_numpy(ids).to(token_ids.device))
