# embed_on_device: keywords and a forward call
# `.to(device=...)` on both; the module is moved in place.
def embed_on_device(model, token_ids, device="cpu"):
    model.to(device=device)
    moved = token_ids.to(device=device, non_blocking=True)
    return model.forward(moved)
