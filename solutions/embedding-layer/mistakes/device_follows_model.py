# embed_on_device: the ids go where the model is
# You move the ids to where the model is. The model itself is never moved, so it does not run on
# `device`.
def embed_on_device(model, token_ids, device):
    where = next(model.parameters()).device
    return model(token_ids.to(where))
