# scores: cv as a number
# For a classifier, cv=5 means the same folds.
def scores(x, y, ks):
    return [
        np.mean(cross_val_score(make_pipeline(StandardScaler(), KNeighborsClassifier(k)), x, y, cv=5))
        for k in ks
    ]
