# nearest_mean: the median
# You remember medians. Remember means.
class NearestMean(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([np.median(x[y == label], axis=0) for label in self.classes_])
        return self

    def predict(self, x):
        distances = ((x[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]
