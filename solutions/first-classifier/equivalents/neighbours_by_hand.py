# neighbours: scaled by hand
# Without a pipeline, and the search of neighbours by brute force.
def neighbours(x_train, y_train, x_test, k):
    scaler = StandardScaler().fit(x_train)
    model = KNeighborsClassifier(n_neighbors=k, algorithm="brute")
    model.fit(scaler.transform(x_train), y_train)
    return list(model.predict(scaler.transform(x_test)))
