# embed_truncated: the model gets all ids
# You hand the ids to the model as they are, and it refuses what is too long. Cutting its result
# comes too late: cut the ids.
def embed_truncated(model, token_ids):
    return model(token_ids)
