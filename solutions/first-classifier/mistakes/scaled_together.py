# scaled: both together
# Your mean and standard deviation come from both parts. Use the training data alone.
def scaled(x_train, x_test):
    scaler = StandardScaler().fit(np.concatenate([x_train, x_test]))
    return scaler.transform(x_train), scaler.transform(x_test)
