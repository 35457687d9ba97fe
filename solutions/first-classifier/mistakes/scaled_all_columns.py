# scaled: one mean for all columns
# You use one mean and one standard deviation for all columns. Each column has its own.
def scaled(x_train, x_test):
    mean, std = x_train.mean(), x_train.std()
    return (x_train - mean) / std, (x_test - mean) / std
