# embed_jsonl_record: also for models without parameters
# Parameters and buffers are asked for their device; without any it is the CPU.
import itertools


def where_it_lies(model):
    for tensor in itertools.chain(model.parameters(), model.buffers()):
        return tensor.device
    return torch.device("cpu")


def embed_jsonl_record(line, model):
    try:
        ids = json.loads(line)["token_ids"]
    except (KeyError, TypeError) as reason:
        raise ValueError("no object with the key token_ids") from reason
    good = isinstance(ids, list) and len(ids) > 0 and all(isinstance(i, int) for i in ids)
    if not good:
        raise ValueError("token_ids must be a list of whole numbers")
    with where_it_lies(model):
        batch = torch.tensor(ids).reshape(1, -1)
    return model(batch)
