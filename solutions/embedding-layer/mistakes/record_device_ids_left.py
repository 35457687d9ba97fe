# embed_jsonl_record: the ids stay on the CPU
# A tensor that you create from a line is on the CPU, and the model may be elsewhere. Create the ids
# where its parameters are: `device=next(model.parameters()).device`. `.to(device)` returns a new
# tensor, which you have to use.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    return model(torch.tensor([ids]))
