"""Seeded inputs of `first-classifier`: each generator returns a list of calls.

Classes overlap, so that a wrong number of neighbours or data that were not scaled show. Columns
have very different sizes.
"""

import numpy as np

from autograder.assignment.arguments import made


def shown_split(rng):
    """Twelve rows of three classes."""
    x = np.arange(24.0).reshape(12, 2)
    return [(x, np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]), 0)]


def splits(rng):
    """Other data and seeds; some classes are rare."""
    calls = []
    for n, d, seed in ((40, 3, 1), (60, 2, 7), (40, 3, 5)):
        x, y = _flowers(rng, n, d, shares=(0.5, 0.3, 0.2))
        calls.append((x, y, seed))
    return calls


def shown_scaled(rng):
    """Three rows to learn from, two to scale as well."""
    return [
        (np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 20.0]]), np.array([[3.0, 20.0], [0.0, 0.0]]))
    ]


def to_scale(rng):
    """Columns of very different sizes, and test data that lie elsewhere."""
    calls = []
    for n, m, d in ((10, 4, 3), (6, 1, 2), (30, 8, 5)):
        sizes = 10.0 ** rng.integers(-2, 4, size=d)
        train, test = rng.normal(1, 2, size=(n, d)), rng.normal(3, 1, size=(m, d))
        calls.append((train * sizes, test * sizes))
    return calls


def shown_scaled_small(rng):
    """Small tables without a constant column."""
    one, two = np.array([[1.0], [3.0]]), np.array([[1.0, 10.0], [3.0, 50.0]])
    return [
        (one, np.array([[2.0]])),
        (one, np.array([[5.0]])),
        (one, np.array([[0.0], [4.0]])),
        (two, np.array([[2.0, 30.0]])),
        (two, np.array([[0.0, 50.0]])),
        (np.array([[0.0], [3.0], [6.0]]), np.array([[6.0]])),
    ]


def to_scale_small(rng):
    """The same."""
    return shown_scaled_small(rng)


def shown_means_small(rng):
    """Few rows of two classes on a line, and in a plane. Means are no medians; a nearest row may
    belong to the other class; distances in a plane are no sums of sides."""
    line, plane = np.array([[0.0], [4.0]]), np.array([[0.0, 0.0], [4.0, 0.0]])
    three = np.array([[0.0], [2.0], [9.0]])
    y = np.array([0, 1])
    return [
        (np.array([[0.0], [6.0], [9.0]]), np.array([0, 0, 1]), np.array([[7.0]])),
        (np.array([[0.0], [0.0], [6.0], [7.0]]), np.array([0, 0, 0, 1]), np.array([[4.0]])),
        (np.array([[3.0, 3.0], [0.0, 5.0]]), y, np.array([[0.0, 0.0]])),
        (line, y, np.array([[1.0]])),
        (line, y, np.array([[3.0]])),
        (line, np.array([3, 5]), np.array([[3.0]])),
        (three, np.array([0, 0, 1]), np.array([[4.0]])),
        (three, np.array([0, 0, 1]), np.array([[6.0], [0.0]])),
        (plane, y, np.array([[1.0, 5.0]])),
        (plane, y, np.array([[3.0, 5.0], [0.0, 0.0]])),
    ]


def chained_small(rng):
    """The same."""
    return shown_means_small(rng)


def fitted_small(rng):
    """The same, by methods."""
    calls = shown_means_small(rng)
    return [(made("NearestMean", then=[("fit", x, y)]), new) for x, y, new in calls]


def fitted_again_small(rng):
    """First to other rows, or to other classes."""
    line, new = np.array([[0.0], [4.0]]), np.array([[1.0]])
    first = ("fit", line, np.array([0, 1]))
    others = [(line, np.array([5, 6])), (line + 2, np.array([1, 0])), (-line, np.array([0, 1]))]
    return [(made("NearestMean", then=[first, ("fit", x, y)]), new) for x, y in others]


def shown_means(rng):
    """Two classes whose means are 0 and 10."""
    x, y = np.array([[-1.0], [1.0], [9.0], [11.0]]), np.array([0, 0, 1, 1])
    return [(x, y, np.array([[2.0], [4.0], [6.0], [20.0]]))]


def chained(rng):
    """Fitted and asked in one line."""
    x, y = _flowers(rng, 20, 3)
    return [(x, y, rng.normal(1, 2, size=(9, 3)))]


def fitted(rng):
    """Objects that were fitted, and new rows; class numbers with gaps; classes of other sizes."""
    calls = []
    for n, d, numbers in ((30, 2, (0, 1, 2)), (40, 4, (3, 7, 20)), (12, 1, (-5, 2, 0))):
        x, y = _flowers(rng, n, d, shares=(0.6, 0.3, 0.1))
        calls.append((x, np.array(numbers)[y], _spread(rng, 25, d)))
    calls.append((*calls[0][:2], _spread(rng, 1, 2)))
    return [(made("NearestMean", then=[("fit", x, y)]), new) for x, y, new in calls]


def fitted_again(rng):
    """Objects that were fitted twice, the second time to other classes."""
    first, second = _flowers(rng, 20, 2), _flowers(rng, 24, 2)
    again = made("NearestMean", then=[("fit", *first), ("fit", second[0], second[1] + 4)])
    return [(again, _spread(rng, 20, 2))]


def shown_neighbours(rng):
    """Two columns; without scaling, only the second would count."""
    x = np.array([[0.0, 0.0], [0.1, 900.0], [0.2, 100.0], [5.0, 50.0], [5.1, 800.0], [5.2, 400.0]])
    return [(x, np.array([0, 0, 0, 1, 1, 1]), np.array([[0.3, 820.0], [4.9, 120.0]]), 3)]


def other_neighbours(rng):
    """Other data and other k, one new row, and the first data with another k."""
    calls = []
    for n, d, k, new in ((40, 3, 1, 30), (60, 2, 5, 1), (50, 4, 15, 30)):
        x, y = _flowers(rng, n, d)
        sizes = 10.0 ** rng.permutation(d)
        calls.append((x * sizes, y, _spread(rng, new, d) * sizes, k))
    return [*calls, (*calls[0][:3], 11)]


def shown_scores(rng):
    """Two overlapping classes of ten rows each."""
    x = np.array([[n % 7, (n * 13) % 11 * 100.0] for n in range(20)]) + 0.25
    y = np.array([int(n % 7 + (n * 5) % 3 > 4) for n in range(20)])
    return [(x, y, [1, 3])]


def scored(rng):
    """Other data, and lists of k of other lengths; the second data with another k."""
    calls = []
    for n, d, ks in ((60, 3, [1, 3, 5, 9]), (50, 2, [7])):
        x, y = _flowers(rng, n, d)
        calls.append((x * 10.0 ** rng.permutation(d), np.sort(y), ks))
    return [*calls, (*calls[1][:2], [1])]


def shown_confusion(rng):
    """Seven rows; class 1 is often taken for class 2."""
    return [(np.array([0, 0, 1, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 2, 2]), 3)]


def shown_confusion_small(rng):
    """Few rows; some pairs repeat, some classes do not occur."""
    pairs = [
        ([0], [0]),
        ([0, 0], [0, 1]),
        ([1, 1], [1, 1]),
        ([0, 1, 1], [0, 0, 0]),
        ([0, 1], [1, 1]),
    ]
    return [(np.array(truth), np.array(said), 2) for truth, said in pairs]


def confusions_small(rng):
    """The same, and more classes."""
    return [*shown_confusion_small(rng), (np.array([0, 2]), np.array([1, 2]), 3)]


def confusions(rng):
    """Other numbers of classes, some of which do not occur."""
    calls = []
    for n, count in ((30, 4), (8, 2), (5, 6), (3001, 1)):
        calls.append((rng.integers(0, count, size=n), rng.integers(0, count, size=n), count))
    return calls


def _flowers(rng, n, d, *, shares=(0.4, 0.3, 0.3)):
    """n rows of three overlapping classes, none of them with fewer than 5 rows (if n allows)."""
    counts = np.maximum(np.round(np.array(shares) * n).astype(int), min(5, n // 3))
    counts[0] = n - counts[1:].sum()
    y = rng.permutation(np.repeat(np.arange(3), counts))
    means = rng.normal(0, 1.2, size=(3, d))
    return means[y] + rng.normal(size=(n, d)), y


def _spread(rng, n, d):
    return rng.normal(0, 2, size=(n, d))
