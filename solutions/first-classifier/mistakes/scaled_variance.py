# scaled: divided by the variance
# You divide by the variance. Divide by its square root, the standard deviation.
def scaled(x_train, x_test):
    mean, var = x_train.mean(axis=0), x_train.var(axis=0)
    return (x_train - mean) / var, (x_test - mean) / var
