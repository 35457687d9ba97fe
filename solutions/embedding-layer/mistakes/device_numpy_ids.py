# embed_on_device: ids by way of NumPy
# You turn the ids into a NumPy array on the way. That works only where they are on the CPU: use
# `token_ids.to(device)`, which works from everywhere.
def embed_on_device(model, token_ids, device):
    ids = torch.tensor(token_ids.numpy(), device=device)
    return model.to(device)(ids)
