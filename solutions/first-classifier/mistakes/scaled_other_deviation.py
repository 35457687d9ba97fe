# scaled: another standard deviation
# You divide by the standard deviation with n - 1. `np.std` divides by n.
def scaled(x_train, x_test):
    mean, std = x_train.mean(axis=0), x_train.std(axis=0, ddof=1)
    return (x_train - mean) / std, (x_test - mean) / std
