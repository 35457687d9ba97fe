# embed_jsonl_record: a single token loses its axis
# You call squeeze, which removes every axis of length 1: the batch axis, and for a single token the
# axis of positions too. The result always has three axes.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or len(ids) == 0:
        raise ValueError("token_ids must be a list that is not empty")
    for i in ids:
        if not isinstance(i, int):
            raise ValueError("token_ids must hold integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device)).squeeze()
