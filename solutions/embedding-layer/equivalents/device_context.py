# embed_on_device: ids from a list, in the device's context
# Inside `with torch.device(...)` new tensors are made there.
def embed_on_device(model, token_ids, device):
    model.to(device)
    with torch.device(device):
        ids = torch.tensor(token_ids.tolist())
    return model(ids)
