# scaled: the test data by themselves
# You scale the test data by their own mean and standard deviation. Use those of the training data.
def scaled(x_train, x_test):
    scaler = StandardScaler()
    return scaler.fit_transform(x_train), scaler.fit_transform(x_test)
