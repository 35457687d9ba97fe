# embed_on_device: every parameter and buffer moved by hand
# The model's tensors are moved one by one, and the ids are copied into new ones.
def embed_on_device(model, token_ids, device):
    for tensor in [*model.parameters(), *model.buffers()]:
        tensor.data = tensor.data.to(device)
    ids = torch.empty_like(token_ids, device=device)
    ids.copy_(token_ids)
    return model(ids)
