# scores: three folds
# You use three parts. Use five.
def scores(x, y, ks):
    return np.array([cross_val_score(make_pipeline(StandardScaler(), KNeighborsClassifier(k)), x, y, cv=StratifiedKFold(3)).mean() for k in ks])
