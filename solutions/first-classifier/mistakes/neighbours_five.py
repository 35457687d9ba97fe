# neighbours: always five neighbours
# You use the default, five neighbours. Use k.
def neighbours(x_train, y_train, x_test, k):
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    return model.fit(x_train, y_train).predict(x_test)
