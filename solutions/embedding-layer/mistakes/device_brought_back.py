# embed_on_device: the result is on the CPU
# Your result is on the CPU, whatever `device` is: you moved the model and the ids there, or moved
# the result back. It should stay on `device`.
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device)).cpu()
