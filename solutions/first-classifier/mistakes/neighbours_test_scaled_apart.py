# neighbours: the test data are scaled by themselves
# You scale the test data by their own mean. The pipeline scales them by the training data.
def neighbours(x_train, y_train, x_test, k):
    model = KNeighborsClassifier(k).fit(StandardScaler().fit_transform(x_train), y_train)
    return model.predict(StandardScaler().fit_transform(x_test))
