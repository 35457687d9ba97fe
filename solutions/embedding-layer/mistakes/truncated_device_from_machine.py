# embed_truncated: the device is chosen by what the machine has
# You move the model and the ids to an accelerator because the machine has one. Work where they are:
# a caller who keeps them on the CPU wants the result there.
def embed_truncated(model, token_ids):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device)
    return model(token_ids[:, : model.max_seq_len].to(device))
