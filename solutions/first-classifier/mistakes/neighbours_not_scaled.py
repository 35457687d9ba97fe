# neighbours: without scaling
# You do not scale, so that the column with the largest numbers decides. Put a StandardScaler in front.
def neighbours(x_train, y_train, x_test, k):
    return KNeighborsClassifier(k).fit(x_train, y_train).predict(x_test)
