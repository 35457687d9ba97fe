# embed_truncated: new ids on the CPU
# You made a new tensor of the ids, on the CPU, and the model may be elsewhere. Make it with
# `device=token_ids.device`, or take a slice of the ids, which lies where they are.
def embed_truncated(model, token_ids):
    rows = [row[: model.max_seq_len] for row in token_ids.tolist()]
    return model(torch.tensor(rows))
