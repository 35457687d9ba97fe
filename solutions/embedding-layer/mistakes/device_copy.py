# embed_on_device: a copy of the model is moved
# You move a copy of the model. The model that you were given stays where it was, and no gradient
# ever reaches it.
import copy


def embed_on_device(model, token_ids, device):
    return copy.deepcopy(model).to(device)(token_ids.to(device))
