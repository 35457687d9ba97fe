# neighbours: predictions of the training data
# You predict the training data. Predict x_test.
def neighbours(x_train, y_train, x_test, k):
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(k))
    return model.fit(x_train, y_train).predict(x_train)
