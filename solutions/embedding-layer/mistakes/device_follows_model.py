# embed_on_device: the ids go where the model is
# You move the ids to where the model lies. The model itself is never moved, so the work is not done
# on the device that was asked for.
def embed_on_device(model, token_ids, device):
    where = next(model.parameters()).device
    return model(token_ids.to(where))
