# embed_jsonl_record: the result is converted to float32
# You converted the result to float32. It should keep the dtype of the model.
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
    return model(torch.tensor([ids], device=next(model.parameters()).device)).float()
