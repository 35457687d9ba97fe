# embed_on_device: cuda() and cpu() by the device's name
# The name decides between the methods of the same name.
def embed_on_device(model, token_ids, device):
    kind = torch.device(device).type
    if kind == "cuda":
        return model.cuda()(token_ids.cuda())
    if kind == "cpu":
        return model.cpu()(token_ids.cpu())
    return model.to(device)(token_ids.to(device))
