# embed_on_device: as_tensor on the device
# `as_tensor` moves the ids; the model is moved only where it is elsewhere.
def embed_on_device(model, token_ids, device):
    if any(p.device != torch.device(device) for p in model.parameters()):
        model = model.to(device)
    return model(torch.as_tensor(token_ids, device=device))
