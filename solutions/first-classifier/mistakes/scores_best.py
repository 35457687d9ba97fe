# scores: only the best
# You return the best number alone. Return one for each k.
def scores(x, y, ks):
    return max(cross_val_score(make_pipeline(StandardScaler(), KNeighborsClassifier(k)), x, y, cv=StratifiedKFold(5)).mean() for k in ks)
