# manual_lookup: matrix times one-hot
# You put the matrix on the left of the one-hot vectors. Its axes are [V, D], so the vectors of
# length V must be on the left: [..., V] times [V, D].
def manual_lookup(matrix, token_ids):
    vectors = F.one_hot(token_ids, num_classes=matrix.shape[0]).float()
    return matrix @ vectors.transpose(-1, -2)
