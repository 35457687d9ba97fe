# scores: fold by fold
# The folds in a loop.
def scores(x, y, ks):
    result = []
    for k in ks:
        own = []
        for train, test in StratifiedKFold(5).split(x, y):
            model = make_pipeline(StandardScaler(), KNeighborsClassifier(k))
            own.append(model.fit(x[train], y[train]).score(x[test], y[test]))
        result.append(sum(own) / 5)
    return result
