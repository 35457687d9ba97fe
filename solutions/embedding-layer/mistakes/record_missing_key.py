# embed_jsonl_record: a missing key raises KeyError
# If `token_ids` is missing, your function raises KeyError, which is not a ValueError. Check for the
# key before you use it.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("not an object")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
