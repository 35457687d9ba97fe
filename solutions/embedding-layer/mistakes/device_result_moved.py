# embed_on_device: only the result is moved
# You run the model where it is and move its result afterwards. The model must run on the device, so
# move the model and the ids before the call.
def embed_on_device(model, token_ids, device):
    return model(token_ids).to(device)
