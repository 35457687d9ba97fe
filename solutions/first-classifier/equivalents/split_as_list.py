# split: as a list
# The same call, with arguments by name and the parts in a list.
def split(x, y, seed):
    parts = train_test_split(x, y, random_state=seed, stratify=y, train_size=0.75, test_size=0.25)
    return list(parts)
