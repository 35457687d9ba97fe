# scaled: only the mean
# You subtract the mean only. Divide by the standard deviation.
def scaled(x_train, x_test):
    mean = x_train.mean(axis=0)
    return x_train - mean, x_test - mean
