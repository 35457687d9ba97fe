# embed_jsonl_record: nothing is checked
# You check nothing, so a broken line raises whatever comes first: KeyError, TypeError,
# RuntimeError. Check each part before you use it, and raise ValueError.
def embed_jsonl_record(line, model):
    ids = json.loads(line)["token_ids"]
    return model(torch.tensor(ids, device=next(model.parameters()).device).unsqueeze(0))
