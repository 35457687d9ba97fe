# embed_jsonl_record: an empty list is accepted
# An empty list passes your checks, and then the model fails or returns an empty result. Raise
# ValueError.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], dtype=torch.long, device=next(model.parameters()).device))
