# embed_truncated: the model gets all ids
# You pass the ids to the model as they are, and it refuses sequences that are too long. Cutting its
# result is too late: cut the ids.
def embed_truncated(model, token_ids):
    return model(token_ids)
