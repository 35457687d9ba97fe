# embed_on_device: the device is not used
# Model and ids are not moved to `device`: your code does not use this argument. Move both, and use
# what `.to(device)` returns.
def embed_on_device(model, token_ids, device):
    return model(token_ids)
