# embed_jsonl_record: one try for everything
# Every failure is turned into a ValueError of its own; numpy makes the ids.
def embed_jsonl_record(line, model):
    try:
        record = json.loads(line)
        ids = record["token_ids"]
        if type(ids) is not list or not ids or any(type(i) is not int for i in ids):
            raise TypeError("token_ids must be a list of integers")
    except (json.JSONDecodeError, KeyError, TypeError) as reason:
        raise ValueError(f"bad record {line!r}: {reason}") from reason
    some = next(iter(model.state_dict().values()))
    return model(torch.from_numpy(np.array([ids], dtype=np.int64)).to(some.device))
