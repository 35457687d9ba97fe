# scaled: between 0 and 1
# You scale between the smallest and the largest number. Use mean and standard deviation.
def scaled(x_train, x_test):
    low, high = x_train.min(axis=0), x_train.max(axis=0)
    return (x_train - low) / (high - low), (x_test - low) / (high - low)
