# embed_jsonl_record: another key
# You use a key other than `token_ids`, so valid lines are refused.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if not isinstance(record, dict) or "tokens" not in record:
        raise ValueError("not an object with the key tokens")
    ids = record["tokens"]
    return model(torch.tensor([ids], device=next(model.parameters()).device))
