# embed_on_device: the ids are moved only together with the model
# When the model is on the device already, you leave the ids where they are. Move both, whatever you
# find: `.to` does nothing where there is nothing to do.
def embed_on_device(model, token_ids, device):
    here = next(model.parameters()).device
    if here.type != torch.device(device).type:
        model = model.to(device)
        token_ids = token_ids.to(device)
    return model(token_ids)
