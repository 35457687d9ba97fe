# embed_truncated: torch.no_grad left on
# Your function runs the model under torch.no_grad, so nobody can train it through your
# function. Leave no_grad to the caller.
def embed_truncated(model, token_ids):
    with torch.no_grad():
        return model(token_ids[:, : model.max_seq_len])
