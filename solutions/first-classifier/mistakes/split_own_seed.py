# split: a seed of your own
# You use a seed of your own. Use the one that is given.
def split(x, y, seed):
    return train_test_split(x, y, test_size=0.25, stratify=y, random_state=42)
