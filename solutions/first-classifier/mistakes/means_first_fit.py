# nearest_mean: the first fit counts
# A second `fit` changes nothing. It must forget the first.
class NearestMean(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        if not hasattr(self, "means_"):
            self.classes_ = np.unique(y)
            self.means_ = np.array([x[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, x):
        distances = ((x[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]
