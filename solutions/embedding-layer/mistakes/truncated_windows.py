# embed_truncated: the rest in more windows
# You ran the model over every window of max_seq_len tokens and joined the results. Return only the
# first window.
def embed_truncated(model, token_ids):
    windows = torch.split(token_ids, model.max_seq_len, dim=1)
    return torch.cat([model(window) for window in windows], dim=1)
