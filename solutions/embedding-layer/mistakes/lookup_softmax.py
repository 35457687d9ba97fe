# manual_lookup: softmax instead of one-hot
# Your weights come from a softmax, so every row of the table is mixed into the result. A one-hot
# vector has a single 1 and zeros everywhere else.
def manual_lookup(matrix, token_ids):
    vectors = F.one_hot(token_ids, num_classes=matrix.shape[0]).float()
    return torch.softmax(vectors, dim=-1) @ matrix
