# neighbours: another classifier
# You use logistic regression. Use the k nearest neighbours.
def neighbours(x_train, y_train, x_test, k):
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return model.fit(x_train, y_train).predict(x_test)
