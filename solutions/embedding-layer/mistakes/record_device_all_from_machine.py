# embed_jsonl_record: the model is moved to the machine's accelerator
# You move the model and the ids to an accelerator because the machine has one. Leave the model
# where it is, and create the ids there.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
        raise ValueError("token_ids must be a list of integers")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return model.to(device)(torch.tensor([ids]).to(device))
