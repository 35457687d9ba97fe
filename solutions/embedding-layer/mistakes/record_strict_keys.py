# embed_jsonl_record: lines with more keys are refused
# You refuse a line that contains keys other than token_ids. Ignore such keys.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or list(record) != ["token_ids"]:
        raise ValueError("not an object with the key token_ids alone")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
