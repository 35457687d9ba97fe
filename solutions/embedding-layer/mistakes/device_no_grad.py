# embed_on_device: torch.no_grad left on
# Your function runs the model under torch.no_grad, so nobody can train it through your
# function. Leave no_grad to the caller.
@torch.no_grad()
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device))
