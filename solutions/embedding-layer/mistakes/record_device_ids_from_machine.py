# embed_jsonl_record: the ids go to the machine's accelerator
# You put the ids on an accelerator because the machine has one; the model may be on the CPU of the
# same machine. Use the model's device: `next(model.parameters()).device`.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return model(torch.tensor([ids], device=device))
