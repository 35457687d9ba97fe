# embed_on_device: the model is moved only together with the ids
# If the ids are already on the device, you do not move the model. Always move both: `.to` does
# nothing if there is nothing to do.
def embed_on_device(model, token_ids, device):
    if token_ids.device.type != torch.device(device).type:
        model = model.to(device)
        token_ids = token_ids.to(device)
    return model(token_ids)
