# scaled: the test data are not scaled
# You leave the test data as they are. Scale them, too.
def scaled(x_train, x_test):
    return StandardScaler().fit_transform(x_train), x_test
