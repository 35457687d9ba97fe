# manual_lookup: the device is chosen by what the machine has
# You move the inputs to an accelerator because the machine has one. Work on the device of the
# inputs: a caller who keeps them on the CPU wants the result there.
def manual_lookup(matrix, token_ids):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return matrix.to(device)[token_ids.to(device)]
