# embed_jsonl_record: get and a chain of checks
# The line is stripped, the key is taken with get, the batch axis is added by indexing with
# None.
def embed_jsonl_record(line, model):
    try:
        data = json.loads(line.strip())
    except json.JSONDecodeError as error:
        raise ValueError(f"Malformed JSON: {error}")
    if not isinstance(data, dict):
        raise ValueError("Expected a JSON object")
    token_ids = data.get("token_ids")
    if token_ids is None:
        raise ValueError("Missing token_ids")
    if not isinstance(token_ids, list):
        raise ValueError("token_ids must be a list")
    if len(token_ids) == 0:
        raise ValueError("token_ids is empty")
    for i in token_ids:
        if not isinstance(i, int) or isinstance(i, bool) or i < 0:
            raise ValueError(f"bad id {i!r}")
    device = next(model.parameters()).device
    return model(torch.tensor(token_ids, dtype=torch.long, device=device)[None, :])
