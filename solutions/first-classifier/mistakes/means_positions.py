# nearest_mean: positions in place of class numbers
# You return positions 0, 1, 2. Return the class numbers that stand there.
class NearestMean(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([x[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, x):
        distances = ((x[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return distances.argmin(axis=1)
