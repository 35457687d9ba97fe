# embed_on_device: ids converted to floating point
# You converted the ids to floating point while moving them. Ids select rows, so they must stay
# integers.
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device, torch.float32))
