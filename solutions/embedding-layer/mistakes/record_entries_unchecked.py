# embed_jsonl_record: the entries are not checked
# You check that token_ids is a list, but not what it contains. 1.5, "2" and null are not ids; check
# the type of every entry.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids:
        raise ValueError("token_ids must be a list that is not empty")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
