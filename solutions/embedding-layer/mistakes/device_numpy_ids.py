# embed_on_device: ids through NumPy
# You turn the ids into a NumPy array in between. That works only if they are on the CPU: use
# `token_ids.to(device)`, which works on every device.
def embed_on_device(model, token_ids, device):
    ids = torch.tensor(token_ids.numpy(), device=device)
    return model.to(device)(ids)
