# embed_on_device: the model is moved only together with the ids
# When the ids are on the device already, you leave the model where it is. Move both, whatever you
# find: `.to` does nothing where there is nothing to do.
def embed_on_device(model, token_ids, device):
    if token_ids.device.type != torch.device(device).type:
        model = model.to(device)
        token_ids = token_ids.to(device)
    return model(token_ids)
