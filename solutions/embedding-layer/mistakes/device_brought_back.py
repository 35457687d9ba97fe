# embed_on_device: the result is brought back to the CPU
# You move the result back to the CPU. It should stay on the device that was asked for.
def embed_on_device(model, token_ids, device):
    return model.to(device)(token_ids.to(device)).cpu()
