# embed_truncated: a limit of 1024
# You cut at 1024, which is GPT-2's limit. Other models have others: use model.max_seq_len.
def embed_truncated(model, token_ids):
    return model(token_ids[:, :1024])
