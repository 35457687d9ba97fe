# embed_truncated: torch.no_grad left on
# The result is detached from the model, so the model cannot be trained through your function. Leave
# out torch.no_grad, inference_mode and detach; they are up to the caller.
def embed_truncated(model, token_ids):
    with torch.no_grad():
        return model(token_ids[:, : model.max_seq_len])
