# embed_on_device: the result lies on the CPU
# Your result lies on the CPU whatever is asked for: you moved the model and the ids there, or brought
# the result back. It should stay on the device that was asked for.
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device)).cpu()
