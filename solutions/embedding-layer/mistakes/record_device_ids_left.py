# embed_jsonl_record: the ids stay on the CPU
# What you make from a line lies on the CPU, and the model may be elsewhere. Make the ids where its
# parameters are: `device=next(model.parameters()).device`. A `.to(device)` counts only where you use
# what it returns.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids]))
