# embed_jsonl_record: empty ids on the device that are filled
# A row of zeros is made where the model is, and the ids are copied into it.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("no JSON object")
    ids = record.get("token_ids")
    if not (isinstance(ids, list) and ids and all(type(i) is int for i in ids)):
        raise ValueError("token_ids must be a list of whole numbers that is not empty")
    batch = torch.zeros(1, len(ids), dtype=torch.long, device=next(model.parameters()).device)
    batch[0] = torch.tensor(ids)
    return model(batch)
