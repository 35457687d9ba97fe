# embed_on_device: torch.no_grad left on
# The result is cut off from the model, so nobody can train it through your function. Leave out
# torch.no_grad, inference_mode and detach; they are the caller's to decide.
@torch.no_grad()
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device))
