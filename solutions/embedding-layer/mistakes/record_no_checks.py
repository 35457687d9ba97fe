# embed_jsonl_record: nothing is checked
# You check nothing, so a broken line raises whatever comes first: KeyError, TypeError,
# RuntimeError. Look at each part before you use it and raise ValueError.
def embed_jsonl_record(line, model):
    return model(torch.tensor(json.loads(line)["token_ids"]).unsqueeze(0))
