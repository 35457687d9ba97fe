# manual_lookup: adds up the rows of a sentence
# You added up the rows of a sentence. Each id keeps a vector of its own: the result has one axis
# more than the ids.
def manual_lookup(matrix, token_ids):
    vectors = F.one_hot(token_ids, num_classes=matrix.shape[0]).float()
    return (vectors @ matrix).sum(dim=-2)
