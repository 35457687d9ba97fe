# nearest_mean: always the largest class
# You always say the class with most rows. Look at the distances.
class NearestMean(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.largest_ = np.bincount(y - y.min()).argmax() + y.min()
        return self

    def predict(self, x):
        return np.full(len(x), self.largest_)
