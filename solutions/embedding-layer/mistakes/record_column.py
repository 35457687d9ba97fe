# embed_jsonl_record: a batch of T sequences of one token
# You put the new axis at the end, so the model sees T sequences of one token each, all at
# position 0. The ids must have the shape [1, T].
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
    return model(torch.tensor(ids, device=next(model.parameters()).device).unsqueeze(1))
