# scores: shuffled
# You shuffle the rows. Leave them in their order.
def scores(x, y, ks):
    return np.array([cross_val_score(make_pipeline(StandardScaler(), KNeighborsClassifier(k)), x, y, cv=StratifiedKFold(5, shuffle=True, random_state=0)).mean() for k in ks])
