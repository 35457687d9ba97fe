# embed_on_device: the ids are moved by a hook
# A hook moves what goes into the model, and is removed again.
def embed_on_device(model, token_ids, device):
    hook = model.register_forward_pre_hook(lambda _, inputs: tuple(i.to(device) for i in inputs))
    try:
        return model.to(device)(token_ids)
    finally:
        hook.remove()
