# neighbours: probabilities
# You return probabilities. Return class numbers: `predict`.
def neighbours(x_train, y_train, x_test, k):
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(k))
    return model.fit(x_train, y_train).predict_proba(x_test)
