# embed_jsonl_record: reads the line with eval
# You read the line as Python code. It fails on JSON's null and true with an error other than
# ValueError, and it runs any code in a line. Use json.loads.
def embed_jsonl_record(line, model):
    record = eval(line.strip())
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or len(ids) == 0:
        raise ValueError("token_ids must be a list that is not empty")
    for i in ids:
        if not isinstance(i, int):
            raise ValueError("token_ids must hold integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
