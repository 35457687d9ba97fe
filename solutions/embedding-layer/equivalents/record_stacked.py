# embed_jsonl_record: ids stacked one by one
# Each id becomes a tensor of its own on the model's device.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("expected an object")
    ids = record.get("token_ids", None)
    if not isinstance(ids, list) or len(ids) < 1:
        raise ValueError("expected a list of ids under token_ids")
    devices = {parameter.device for parameter in model.parameters()}
    device = devices.pop()
    ones = []
    for i in ids:
        if not isinstance(i, int):
            raise ValueError(f"{i!r} is no id")
        ones.append(torch.full((), i, dtype=torch.long, device=device))
    return model(torch.stack(ones).view(1, len(ones)))
