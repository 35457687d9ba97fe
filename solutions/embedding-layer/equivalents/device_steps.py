# embed_on_device: step by step, with torch.device
# The device is made into a torch.device first, and the ids follow the model's parameters.
def embed_on_device(model, token_ids, device):
    device = torch.device(device)
    model = model.to(device)
    ids = token_ids.to(next(model.parameters()).device)
    return model(ids)
