# nearest_mean: a plain class
# No base class, and a dictionary of means.
class NearestMean:
    def fit(self, x, y):
        self.means = {label: x[y == label].mean(axis=0) for label in sorted(set(y.tolist()))}
        return self

    def predict(self, x):
        labels = list(self.means)
        return np.array(
            [labels[np.argmin([np.linalg.norm(r - m) for m in self.means.values()])] for r in x]
        )
