# embed_truncated: torch.no_grad left on
# The result is cut off from the model, so nobody can train it through your function. Leave out
# torch.no_grad, inference_mode and detach; they are the caller's to decide.
def embed_truncated(model, token_ids):
    with torch.no_grad():
        return model(token_ids[:, : model.max_seq_len])
