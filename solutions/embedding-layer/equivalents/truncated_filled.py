# embed_truncated: new ids that are filled
# `new_zeros` makes the shorter ids where the long ones are, and they follow the model's parameters.
def embed_truncated(model, token_ids):
    length = min(token_ids.shape[1], model.max_seq_len)
    ids = token_ids.new_zeros(token_ids.shape[0], length)
    for t in range(length):
        ids[:, t] = token_ids[:, t]
    return model(ids.to(next(model.parameters()).device))
