# embed_on_device: the device is taken for a text
# You ask the device as one asks a text, and a torch.device is none. `.to` takes both: hand `device`
# on as it comes.
def embed_on_device(model, token_ids, device):
    if device.startswith("cpu"):
        return model.cpu()(token_ids.cpu())
    return model.to(device)(token_ids.to(device))
