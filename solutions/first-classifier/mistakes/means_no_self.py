# nearest_mean: fit returns nothing
# `fit` returns nothing, so that nothing can be asked in the same line. End it with `return self`.
class NearestMean(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([x[y == label].mean(axis=0) for label in self.classes_])

    def predict(self, x):
        distances = ((x[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]
