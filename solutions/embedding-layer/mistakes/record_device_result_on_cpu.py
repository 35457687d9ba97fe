# embed_jsonl_record: the result is on the CPU
# Your result is on the CPU wherever the model is: you moved the model or the result there. Leave
# both where they are.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device)).cpu()
