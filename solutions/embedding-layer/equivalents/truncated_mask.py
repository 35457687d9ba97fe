# embed_truncated: columns chosen by a mask on the CPU
# A boolean mask on the CPU may index ids anywhere.
def embed_truncated(model, token_ids):
    keep = torch.arange(token_ids.shape[1]) < model.max_seq_len
    return model(token_ids[:, keep])
