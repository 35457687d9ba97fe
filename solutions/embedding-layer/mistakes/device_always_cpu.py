# embed_on_device: everything goes to the CPU
# You move the model and the ids to the CPU, whatever is asked for. Use the argument `device`.
def embed_on_device(model, token_ids, device):
    model = model.to("cpu")
    return model(token_ids.to("cpu"))
