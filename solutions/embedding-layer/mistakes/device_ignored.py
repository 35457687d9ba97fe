# embed_on_device: the device is not used
# Model and ids do not go to the device that was asked for: the argument `device` plays no part. Move
# both, and use what `.to(device)` returns.
def embed_on_device(model, token_ids, device):
    return model(token_ids)
