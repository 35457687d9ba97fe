# embed_jsonl_record: JSON that is not an object
# You assume that the line is an object. `[1, 2]`, `5` and `null` are JSON as well, and looking up a
# key in them raises TypeError.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if "token_ids" not in record:
        raise ValueError("no token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
