# split: not drawn at random
# Your test data are the last rows. Draw them at random.
def split(x, y, seed):
    return train_test_split(x, y, test_size=0.25, shuffle=False)
