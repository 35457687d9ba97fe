# embed_jsonl_record: ids made like a parameter
# `new_tensor` makes the ids on the device of the first parameter.
def embed_jsonl_record(line, model):
    record = json.loads(line)
    if type(record) is not dict:
        raise ValueError("the line is no JSON object")
    if "token_ids" not in record:
        raise ValueError("the line has no token_ids")
    ids = record["token_ids"]
    if not isinstance(ids, list):
        raise ValueError(f"token_ids is a {type(ids).__name__}, not a list")
    if ids == []:
        raise ValueError("token_ids is empty")
    if [i for i in ids if not isinstance(i, int)]:
        raise ValueError("token_ids holds something that is no whole number")
    some, *_ = model.parameters()
    return model(some.new_tensor([ids], dtype=torch.int64))
