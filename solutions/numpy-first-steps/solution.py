# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # First steps with NumPy: a small network, by hand
#
# A network with one hidden layer takes a table of numbers and says how likely each class is. You
# write its forward pass, its loss, and the backward pass that a library would compute for you, with
# nothing but NumPy.
#
# | letter | meaning |
# | --- | --- |
# | N | rows of the batch: how many examples are handled together |
# | D | columns of the input: how many numbers describe an example |
# | H | width of the hidden layer |
# | C | how many classes there are |
#
# **How to work in this notebook**
#
# * Functions and variables are found by exactly the names given here. You may add cells, names and
#   functions of your own.
# * Functions are called with their arguments in the order given here.
# * Only numbers and shapes count: an array and a list of the same numbers are both fine.
# * A function must not change its arguments. Create new arrays.
# * Every function is tested by itself: no exercise needs an earlier one.

# %% locked=true
# Given: run this cell first.
import numpy as np


def wait_for(action):
    """Run `action`; if something is not written yet, print what is missing instead of stopping."""
    try:
        action()
    except Exception as reason:
        print("Not ready yet:", type(reason).__name__, reason)


# %% [markdown]
# ## Exercise 1: Softmax
#
# Softmax turns scores into probabilities. For one row $z$ of scores,
#
# $$\mathrm{softmax}(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$$
#
# Write `softmax(scores)`. `scores` is an array of shape `[C]`, `[N, C]` or with more axes, of floats
# or of integers. The result has the same shape, and its numbers add up to 1 **along the last axis**.
#
# $e^{1000}$ is larger than the largest float. Yet scores such as `[1000, 1001]` are common in a
# network that is sure of itself, and one row may have much larger scores than another. The result
# must be right for them too: adding a constant to all scores of a row does not change it.

# %% exercise="softmax"
def softmax(scores):
    """Probabilities along the last axis, in the shape of `scores`."""
    # BEGIN SOLUTION
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
    # END SOLUTION


# %% locked=true
# Given: expect rows that add up to 1, and no nan in the second line.
def look_at_softmax():
    print(softmax(np.array([[0.0, 1.0, 2.0], [5.0, 5.0, 5.0]])))
    print(softmax(np.array([1000.0, 1001.0])))


wait_for(look_at_softmax)

# %% [markdown]
# ## Exercise 2: Why may you subtract the maximum?
#
# Most programs subtract the largest score of a row before they compute $e^{z_i}$. Show with the
# formula that the result is the same, and say in one sentence what it is good for.

# %% [markdown] exercise="why_the_maximum"
# <!-- BEGIN SOLUTION -->
# With $m = \max_j z_j$,
# $$\frac{e^{z_i - m}}{\sum_j e^{z_j - m}} = \frac{e^{-m} e^{z_i}}{e^{-m} \sum_j e^{z_j}} =
# \frac{e^{z_i}}{\sum_j e^{z_j}}.$$
# All exponents are at most 0 then, and one is 0, so nothing overflows and the sum is at least 1.
# <!-- END SOLUTION -->

# %% [markdown]
# ## Exercise 3: Cross-entropy
#
# The loss says how surprised the network is by the right answers. Write
# `cross_entropy(probabilities, labels)`: `probabilities` has the shape `[N, C]`, `labels` has N whole
# numbers from 0 to C - 1, the right class of each row. For each row, take the probability of its
# right class; the loss is the mean of the negative natural logarithms of these N numbers. It is one
# number. None of these probabilities is 0.

# %% exercise="cross_entropy"
def cross_entropy(probabilities, labels):
    """The mean over the rows of -log(probability of the row's label): one number."""
    # BEGIN SOLUTION
    rows = np.arange(len(labels))
    return -np.mean(np.log(probabilities[rows, labels]))
    # END SOLUTION


# %% locked=true
# Given: expect (log 2 + log 4) / 2 = 1.0397...
wait_for(lambda: print(cross_entropy(np.array([[0.5, 0.5], [0.75, 0.25]]), np.array([0, 1]))))

# %% [markdown]
# ## Exercise 4: The forward pass
#
# The network has four parameters: `w1`, `b1`, `w2` and `b2` of shapes `[D, H]`, `[H]`, `[H, C]` and
# `[C]`. For a batch `x` of shape `[N, D]`:
#
# * the *hidden layer* is $\max(0, x\,w_1 + b_1)$, number by number (this function is called ReLU),
#   and has the shape `[N, H]`: write `hidden_layer(x, w1, b1)`;
# * the *scores* are $\mathrm{hidden}\;w_2 + b_2$, of shape `[N, C]`, and nothing follows them: write
#   `output_scores(hidden, w2, b2)`.

# %% exercise="forward"
def hidden_layer(x, w1, b1):
    """The hidden layer [N, H] of a batch [N, D]."""
    # BEGIN SOLUTION
    return np.maximum(0, x @ w1 + b1)
    # END SOLUTION


def output_scores(hidden, w2, b2):
    """The scores [N, C] of a hidden layer [N, H]."""
    # BEGIN SOLUTION
    return hidden @ w2 + b2
    # END SOLUTION


# %% [markdown]
# ## Exercise 5: How many parameters?
#
# Images of 28 x 28 = 784 pixels are to be sorted into 10 classes by such a network with a hidden
# layer of 100 numbers. Set `image_parameters` to how many numbers all four parameters hold together.

# %% exercise="parameter_count"
image_parameters = 784 * 100 + 100 + 100 * 10 + 10  # SOLUTION

# %% [markdown]
# ## Exercise 6: The backward pass
#
# How does the loss change with each parameter? Let $p$ be the probabilities `[N, C]` (the softmax of
# the scores) and $y$ the labels as one-hot rows `[N, C]`. By the chain rule, the derivative of the
# loss (the **mean** over the batch) with respect to the scores is
#
# $$\frac{\partial L}{\partial\,\mathrm{scores}} = \frac{p - y}{N}$$
#
# * Write `score_gradient(probabilities, labels)`, which returns this array `[N, C]`.
#
# From there you go back through each layer. Through the second one, and then through ReLU, which
# passes a derivative on where `hidden` is above 0, and stops it elsewhere:
#
# * Write `layer_gradients(inputs, d_outputs)`: for a layer `outputs = inputs w + b` with `inputs`
#   `[N, I]` and the derivative `d_outputs` `[N, O]` with respect to its outputs, it returns the
#   derivatives with respect to `w` and `b`, **in this order**, in their shapes `[I, O]` and `[O]`.
# * Write `hidden_gradient(hidden, d_scores, w2)`: the derivative with respect to $x\,w_1 + b_1$, that
#   is, in front of ReLU, of shape `[N, H]`.

# %% exercise="backward"
def score_gradient(probabilities, labels):
    """The derivative of the mean cross-entropy with respect to the scores [N, C]."""
    # BEGIN SOLUTION
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)
    # END SOLUTION


def layer_gradients(inputs, d_outputs):
    """The derivatives with respect to the table [I, O] and the bias [O] of a layer."""
    # BEGIN SOLUTION
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)
    # END SOLUTION


def hidden_gradient(hidden, d_scores, w2):
    """The derivative with respect to the numbers in front of ReLU [N, H]."""
    # BEGIN SOLUTION
    return (d_scores @ w2.T) * (hidden > 0)
    # END SOLUTION


# %% [markdown]
# ## Exercise 7: One step of training
#
# Write `step(parameters, gradients, rate)`. `parameters` is the tuple `(w1, b1, w2, b2)`, and `gradients`
# has their derivatives in the same order. It returns new parameters, as a tuple of four arrays,
# each of them moved against its gradient: $w - \mathrm{rate} \cdot \partial L / \partial w$. The old
# parameters stay as they are.

# %% exercise="step"
def step(parameters, gradients, rate):
    """New parameters after one step of gradient descent."""
    # BEGIN SOLUTION
    return tuple(old - rate * gradient for old, gradient in zip(parameters, gradients))
    # END SOLUTION


# %% locked=true
# Given: all parts together. Expect a loss that falls from about 1.1 to below 0.1.
def train():
    rng = np.random.default_rng(0)
    x, labels = rng.normal(size=(60, 2)), rng.integers(0, 3, size=60)
    x += 4 * np.array([[0, 1], [1, -1], [-1, -1]])[labels]
    parameters = tuple(rng.normal(0, 0.1, size=s) for s in [(2, 8), (8,), (8, 3), (3,)])
    for number in range(201):
        w1, b1, w2, b2 = parameters
        hidden = hidden_layer(x, w1, b1)
        probabilities = softmax(output_scores(hidden, w2, b2))
        if number % 50 == 0:
            print(number, cross_entropy(probabilities, labels))
        d_scores = score_gradient(probabilities, labels)
        d_hidden = hidden_gradient(hidden, d_scores, w2)
        gradients = (*layer_gradients(x, d_hidden), *layer_gradients(hidden, d_scores))
        parameters = step(parameters, gradients, 0.5)


wait_for(train)
