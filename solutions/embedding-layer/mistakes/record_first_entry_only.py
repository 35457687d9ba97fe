# embed_jsonl_record: only the first entry is checked
# You check the type of the first entry only. A single wrong entry makes a line invalid.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not isinstance(ids[0], int):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
