"""Seeded inputs of `numpy-first-steps`: each generator returns a list of calls.

Every case is the tuple of positional arguments of one call. N, D, H and C all differ, so that a
wrong axis shows; some are 1.
"""

import numpy as np

# N, D, H, C
SIZES = ((5, 3, 4, 2), (2, 6, 3, 7), (1, 2, 5, 3), (4, 1, 1, 2), (6, 5, 2, 4))


def softmax_example(rng):
    """Two rows: the second of equal scores."""
    return [(np.array([[0.0, 1.0, 2.0], [5.0, 5.0, 5.0]]),), (np.array([0.0, np.log(3.0)]),)]


def softmax_shapes(rng):
    """Arrays with one to four axes, square ones and axes of length 1 among them."""
    shapes = ((5,), (3, 4), (4, 4), (2, 3, 5), (1, 6), (4, 1), (2, 1, 3, 2), (1,))
    return [(rng.normal(0, 2, size=shape),) for shape in shapes]


def softmax_integers(rng):
    """Scores that are whole numbers."""
    return [(rng.integers(-3, 4, size=shape),) for shape in ((4,), (3, 5))]


def softmax_large(rng):
    """Large scores, very negative ones, and rows that are thousands apart."""
    one = rng.normal(size=(3, 4))
    apart = one + np.array([[0.0], [4000.0], [-4000.0]])
    pairs = [(np.array([[0.0, high], [1.0, 2.0]]),) for high in (1000.0, 3000.0)]
    return [(one[0] + 1000,), (one - 2000,), (apart,), *pairs]


def loss_example(rng):
    """The two rows of the text."""
    return [(np.array([[0.5, 0.5], [0.75, 0.25]]), np.array([0, 1]))]


def loss_batches(rng):
    """Batches of different sizes; labels repeat, and not all of them occur. The last one has the
    labels of the first."""
    sizes = ((4, 3), (7, 2), (1, 5), (3, 3), (9, 4))
    calls = [(_probabilities(rng, n, c), rng.integers(0, c, size=n)) for n, c in sizes]
    return [*calls, (_probabilities(rng, 4, 3), calls[0][1])]


def hidden_example(rng):
    """Two rows of two numbers, and a layer of three: whole numbers."""
    w1, b1, _, _ = _example()
    return [(np.array([[1.0, 2.0], [-1.0, 1.0]]), w1, b1)]


def hidden_batches(rng):
    """Batches and layers of all sizes."""
    return [(rng.normal(size=(n, d)), *_parameters(rng, d, h, c)[:2]) for n, d, h, c in SIZES]


def scores_example(rng):
    """Two rows of a hidden layer of three numbers."""
    _, _, w2, b2 = _example()
    return [(np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 4.0]]), w2, b2)]


def scores_batches(rng):
    """Batches and layers of all sizes."""
    return [(_hidden(rng, n, h), *_parameters(rng, d, h, c)[2:]) for n, d, h, c in SIZES]


def layer_example(rng):
    """Two rows of three inputs and two outputs."""
    return [(np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 4.0]]), np.array([[0.5, -0.5], [-1.0, 1.0]]))]


def layer_batches(rng):
    """Batches and layers of all sizes."""
    return [(rng.normal(size=(n, d)), rng.normal(size=(n, c))) for n, d, _, c in SIZES]


def back_example(rng):
    """Two rows of a hidden layer of three numbers, two of which are 0."""
    hidden = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 4.0]])
    return [(hidden, np.array([[0.5, -0.5], [-1.0, 1.0]]), _example()[2])]


def back_batches(rng):
    """Batches and layers of all sizes; about half of the hidden numbers are 0."""
    return [
        (_hidden(rng, n, h), rng.normal(size=(n, c)), rng.normal(size=(h, c)))
        for n, _, h, c in SIZES
    ]


def loss_example_small(rng):
    """Rows of probabilities that can be read by eye."""
    rows = np.array([[0.5, 0.5], [0.25, 0.75], [0.1, 0.9]])
    calls = [(rows[:1], [1]), (rows[1:2], [0]), (rows[:2], [1, 0]), (rows, [0, 0, 1])]
    three = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
    calls += [(three[:1], [2]), (three, [0, 2]), (three, [1, 1]), (three, [0, 0])]
    return [(probabilities, np.array(labels)) for probabilities, labels in calls]


def loss_batches_small(rng):
    """The same: small batches of any kind."""
    return loss_example_small(rng)


def step_example(rng):
    """Whole numbers and the rate 0.5."""
    gradients = tuple(np.ones_like(array) * 2 for array in _example())
    return [(_example(), gradients, 0.5)]


def steps(rng):
    """Other parameters, gradients and rates, then one of the three as in the call before."""
    calls = []
    for (_, d, h, c), rate in zip(SIZES, (0.1, 1.0, 0.01, 2.0, 0.3), strict=True):
        calls.append((_parameters(rng, d, h, c), _parameters(rng, d, h, c), rate))
    parameters, gradients, rate = calls[-1]
    d, h, c = SIZES[-1][1:]
    calls.append((_parameters(rng, d, h, c), gradients, rate))
    calls.append((parameters, _parameters(rng, d, h, c), rate))
    return calls


def _example():
    return (
        np.array([[1.0, -1.0, 0.0], [1.0, 0.0, 2.0]]),
        np.array([0.0, 1.0, -3.0]),
        np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 1.0]]),
        np.array([0.5, -0.5]),
    )


def _parameters(rng, d, h, c):
    return tuple(rng.normal(size=shape) for shape in ((d, h), (h,), (h, c), (c,)))


def _hidden(rng, n, h):
    hidden = np.maximum(0, rng.normal(size=(n, h)))
    hidden[0, 0] = 1.5
    return hidden


def _probabilities(rng, n, c):
    powers = np.exp(rng.normal(size=(n, c)))
    return powers / powers.sum(axis=1, keepdims=True)
