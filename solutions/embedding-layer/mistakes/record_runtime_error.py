# embed_jsonl_record: RuntimeError instead of ValueError
# You raise RuntimeError for a broken line. The exercise asks for ValueError.
def embed_jsonl_record(line, model):
    try:
        ids = json.loads(line)["token_ids"]
        if not isinstance(ids, list) or not ids or not all(isinstance(i, int) for i in ids):
            raise TypeError("token_ids")
    except (ValueError, KeyError, TypeError) as reason:
        raise RuntimeError("broken line") from reason
    return model(torch.tensor([ids], device=next(model.parameters()).device))
