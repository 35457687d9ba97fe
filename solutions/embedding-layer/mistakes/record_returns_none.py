# embed_jsonl_record: broken lines give None
# For a broken line your function returns None, and the caller does not notice the error. Raise
# ValueError.
def embed_jsonl_record(line, model):
    try:
        ids = json.loads(line)["token_ids"]
        if not ids or not all(isinstance(i, int) for i in ids):
            return None
    except (ValueError, KeyError, TypeError):
        return None
    return model(torch.tensor([ids], device=next(model.parameters()).device))
