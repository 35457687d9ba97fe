# split: in another order
# Your parts are in another order: x_train, x_test, y_train, y_test.
def split(x, y, seed):
    return (lambda a, b, c, d: (a, c, b, d))(*train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed))
