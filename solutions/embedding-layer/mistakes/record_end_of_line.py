# embed_jsonl_record: lines with a line break are refused
# You refuse a line that ends with a line break, or has spaces around it. Lines that are read from a
# file end like this: `json.loads` accepts them as they are.
def embed_jsonl_record(line, model):
    if line != line.strip():
        raise ValueError("blanks around the object")
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
