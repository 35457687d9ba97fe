# nearest_mean: one number for each class
# You take one mean over all columns. Each column has its own.
class NearestMean(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([np.full(x.shape[1], x[y == label].mean()) for label in self.classes_])
        return self

    def predict(self, x):
        distances = ((x[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]
