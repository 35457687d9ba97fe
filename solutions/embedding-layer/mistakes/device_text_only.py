# embed_on_device: the device is assumed to be a string
# You treat `device` as a string, but it may be a torch.device. `.to` accepts both: pass `device` on
# as it is.
def embed_on_device(model, token_ids, device):
    if device.startswith("cpu"):
        return model.cpu()(token_ids.cpu())
    return model.to(device)(token_ids.to(device))
