# embed_on_device: the model is converted to float32
# You converted the model to float32 while moving it. `.to(device)` moves a module and leaves
# its numbers alone.
def embed_on_device(model, token_ids, device):
    model = model.to(device).float()
    return model(token_ids.to(device))
