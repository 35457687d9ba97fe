# embed_on_device: the model is not moved
# You moved the ids but not the model. Both must be on the same device.
def embed_on_device(model, token_ids, device):
    return model(token_ids.to(device))
