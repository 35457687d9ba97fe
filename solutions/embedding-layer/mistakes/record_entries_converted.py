# embed_jsonl_record: entries are converted
# You convert the entries with int(), so 1.5 becomes 1 and "2" becomes 2. Such a line is broken:
# raise ValueError.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids:
        raise ValueError("token_ids must be a list that is not empty")
    ids = [int(i) for i in ids]
    return model(torch.tensor([ids], device=next(model.parameters()).device))
