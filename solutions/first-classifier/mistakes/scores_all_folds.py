# scores: each fold by itself
# You return the five numbers of each k. Return their mean.
def scores(x, y, ks):
    return np.array([cross_val_score(make_pipeline(StandardScaler(), KNeighborsClassifier(k)), x, y, cv=StratifiedKFold(5)) for k in ks])
