# embed_jsonl_record: token_ids that is not a list
# You assume that token_ids is a list. A number or null raises TypeError when you iterate over it:
# check its type first.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if len(ids) == 0:
        raise ValueError("token_ids must not be empty")
    for i in ids:
        if not isinstance(i, int):
            raise ValueError("token_ids must hold integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
