# embed_truncated: new ids on the CPU
# You created a new tensor of the ids on the CPU, and the model may be elsewhere. Use
# `device=token_ids.device`, or take a slice of the ids, which is where they are.
def embed_truncated(model, token_ids):
    rows = [row[: model.max_seq_len] for row in token_ids.tolist()]
    return model(torch.tensor(rows))
