# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A first classifier with scikit-learn
#
# Which kind of flower is it, given four lengths? You split the data, build a pipeline that scales the
# lengths before it classifies, and judge it honestly: on data that it has not seen.
#
# **How to work in this notebook**
#
# * Functions, classes and variables are found by exactly the names given here. You may add cells,
#   names and functions of your own.
# * Your functions are tested with other data: `x` is an array `[N, D]` of floats, `y` an array of N
#   class numbers.
# * A function must not change its arguments.
# * Every function is tested by itself: no exercise needs an earlier one.

# %% locked=true
# Given: run this cell first.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

x, y = load_iris(return_X_y=True)


def wait_for(action):
    """Run `action`; if something is not written yet, print what is missing instead of stopping."""
    try:
        action()
    except Exception as reason:
        print("Not ready yet:", type(reason).__name__, reason)


# %% [markdown]
# ## Exercise 1: Split the data
#
# Write `split(x, y, seed)`. It returns `(x_train, x_test, y_train, y_test)`: a quarter of the rows,
# drawn at random, for testing, and the rest for training. Use `train_test_split` with
# `test_size=0.25`, **stratified** by `y`, so that each class has the same share in both parts, and
# with `random_state=seed`.

# %% exercise="split"
def split(x, y, seed):
    """Training and test data: x_train, x_test, y_train, y_test."""
    # BEGIN SOLUTION
    return train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed)
    # END SOLUTION


# %% [markdown]
# ## Exercise 2: Scale, but do not peek
#
# Distances between flowers are dominated by the column with the largest numbers, so columns are
# scaled to mean 0 and standard deviation 1. The mean and the standard deviation must come from the
# **training data alone**: what is computed from the test data is not available when the model is
# used, and makes the test too good.
#
# Write `scaled(x_train, x_test)`. It returns both arrays, scaled with the means and the standard
# deviations (as `np.std` computes them) of the columns of `x_train`. No column of `x_train` is
# constant.

# %% exercise="scaled"
def scaled(x_train, x_test):
    """Both arrays, scaled by the means and standard deviations of the training data."""
    # BEGIN SOLUTION
    scaler = StandardScaler().fit(x_train)
    return scaler.transform(x_train), scaler.transform(x_test)
    # END SOLUTION


# %% [markdown]
# ## Exercise 3: A classifier of your own
#
# The simplest classifier that learns: remember the mean of each class, and say of a new row the class
# whose mean is nearest (by Euclidean distance). Write a class `NearestMean` with these methods:
#
# * `fit(x, y)` learns from the data, and returns the object itself, as all estimators of scikit-learn
#   do. The class numbers in `y` may be any whole numbers. A second `fit` forgets the first.
# * `predict(x)` returns an array with the class number of each row. If two means are equally near,
#   either is right.

# %% exercise="nearest_mean"
class NearestMean(ClassifierMixin, BaseEstimator):
    """Predicts the class whose mean is nearest."""

    # BEGIN SOLUTION
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([x[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, x):
        distances = ((x[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]

    # END SOLUTION


# %% locked=true
# Given: this is how estimators are used.
def fit_and_predict(x, y, new):
    return NearestMean().fit(x, y).predict(new)


wait_for(lambda: print((fit_and_predict(x, y, x) == y).mean()))


# %% [markdown]
# ## Exercise 4: A pipeline
#
# A pipeline ties scaling and classifying together: `fit` scales by the training data and then trains,
# `predict` scales new data in the same way. Write `neighbours(x_train, y_train, x_test, k)`: it
# returns the predictions for `x_test` of a pipeline of a `StandardScaler` and a
# `KNeighborsClassifier` with `k` neighbours (all else as it is by default), trained on the training
# data.

# %% exercise="neighbours"
def neighbours(x_train, y_train, x_test, k):
    """Predictions of the scaled k nearest neighbours."""
    # BEGIN SOLUTION
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(k))
    return model.fit(x_train, y_train).predict(x_test)
    # END SOLUTION


# %% [markdown]
# ## Exercise 5: Cross-validation
#
# A single split may be lucky. Write `scores(x, y, ks)`: for each k of the list `ks` it returns the
# mean accuracy of the pipeline of exercise 4 in a cross-validation with
# `StratifiedKFold(5)` (without shuffling): an array of as many numbers as `ks` has. Each of the five
# times, the pipeline must be fitted anew, **scaling included**, on four fifths of the data.

# %% exercise="scores"
def scores(x, y, ks):
    """The mean accuracy in a 5-fold cross-validation, for each k."""
    # BEGIN SOLUTION
    models = [make_pipeline(StandardScaler(), KNeighborsClassifier(k)) for k in ks]
    return np.array([cross_val_score(model, x, y, cv=StratifiedKFold(5)).mean() for model in models])
    # END SOLUTION


# %% [markdown]
# ## Exercise 6: Which classes are mixed up?
#
# Write `confusion(truth, predicted, count)`. `truth` and `predicted` are arrays of class numbers from
# 0 to `count` - 1. The result is an array of shape `[count, count]`: in row i and column j it has how
# many rows of the true class i were taken for class j, also for classes that do not occur.

# %% exercise="confusion"
def confusion(truth, predicted, count):
    """How often class i (row) was taken for class j (column)."""
    # BEGIN SOLUTION
    result = np.zeros((count, count), dtype=int)
    np.add.at(result, (truth, predicted), 1)
    return result
    # END SOLUTION


# %% [markdown]
# ## Exercise 7: A picture of the mistakes
#
# A classifier was asked about twelve flowers. Set `mistakes` to its confusion matrix and show it as an
# image, with a colour bar. Label the axis along which the true classes run `true`, and the other one
# `predicted`. (Write the nine numbers down by hand if you have no function for them.)

# %% locked=true
# Given: the twelve flowers.
truth = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2])
predicted = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 1])

# %% exercise="picture"
# BEGIN SOLUTION
mistakes = np.array([[3, 1, 0], [0, 2, 3], [0, 1, 2]])
figure, axes = plt.subplots()
image = axes.imshow(mistakes)
axes.set_xlabel("predicted")
axes.set_ylabel("true")
figure.colorbar(image)
plt.show()
# END SOLUTION

# %% [markdown]
# ## Exercise 8: Is it good?
#
# On a data set in which 95 of 100 patients are healthy, a classifier has an accuracy of 95 %. Is that
# good? Say what else you would look at, and why. Compare with a classifier that always says
# "healthy"; a formula or a small table may help.

# %% [markdown] exercise="is_it_good"
# <!-- BEGIN SOLUTION -->
# A classifier that always says "healthy" has the same accuracy and finds no patient at all. I would
# look at the recall of the ill, $\frac{\mathrm{found}}{\mathrm{ill}}$, which is 0 for it, and at the
# precision, or at the whole confusion matrix.
# <!-- END SOLUTION -->
