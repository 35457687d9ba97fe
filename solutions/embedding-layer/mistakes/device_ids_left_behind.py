# embed_on_device: the moved ids are discarded
# Your ids stay where they were. `token_ids.to(device)` returns a new tensor; the old one does not
# move. For a module `.to` works in place, for a tensor it does not.
def embed_on_device(model, token_ids, device):
    model.to(device)
    token_ids.to(device)
    return model(token_ids)
