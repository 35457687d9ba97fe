# embed_jsonl_record: reads the line as a Python literal
# You read the line with ast.literal_eval. JSON is not Python: null and true are not Python
# literals, and a broken line raises SyntaxError. Use json.loads.
def embed_jsonl_record(line, model):
    import ast

    record = ast.literal_eval(line.strip())
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("not an object with the key token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list) or len(ids) == 0:
        raise ValueError("token_ids must be a list that is not empty")
    for i in ids:
        if not isinstance(i, int):
            raise ValueError("token_ids must hold integers")
    return model(torch.tensor([ids], device=next(model.parameters()).device))
