# manual_lookup: one-hot vectors filled into zeros on the CPU
# Your zeros are created on the CPU, where ids on an accelerator cannot set ones. Create them where
# the inputs are: `device=matrix.device`.
def manual_lookup(matrix, token_ids):
    one_hot = torch.zeros(*token_ids.shape, matrix.shape[0])
    one_hot.scatter_(-1, token_ids.unsqueeze(-1), 1.0)
    return one_hot @ matrix
