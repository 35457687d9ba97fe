# embed_jsonl_record: its own kind of ValueError
# A subclass of ValueError; unsqueeze makes the batch.
class BrokenLine(ValueError):
    pass


def embed_jsonl_record(line, model):
    try:
        match json.loads(line):
            case {"token_ids": [_, *_] as ids} if all(isinstance(i, int) for i in ids):
                return model(torch.LongTensor(ids).unsqueeze(0).to(list(model.parameters())[0].device))
    except json.JSONDecodeError as reason:
        raise BrokenLine("not JSON") from reason
    raise BrokenLine("no list of token ids")
