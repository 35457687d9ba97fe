# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Rotary positions and the way back to words
#
# A language model has two ends. At its input, token ids become vectors, and each vector needs
# information about its position. At its output, vectors become *logits*, one number per word of the
# vocabulary, and a loss measures how good they are. In this notebook you build both ends of a small
# model, in the style of an early teaching version of nanochat, and train it without anything in
# between.
#
# **Letters used throughout**
#
# | letter | meaning | example |
# | --- | --- | --- |
# | V | vocabulary size, `vocab_size` | 1000 |
# | D | width of a vector, `n_embd`, an even number | 128 |
# | B | batch size: sequences that are processed together | 8 |
# | T | length of a sequence, counted in tokens | 16 |
# | H | number of attention heads | 4 |
# | Dh | width of one head, an even number | 32 |
#
# **How to work in this notebook**
#
# * Each exercise has one code cell for your answer. It must define exactly the names that the
#   exercise gives. You may add cells, names and functions.
# * Functions are called with their arguments in the order given here. You may rename the
#   parameters, and add more if they have defaults.
# * Unless an exercise says otherwise, only numbers and shape count, not their container.
# * The attributes of your classes may have any names. A table is found by its shape.
# * Mistakes in `precompute_freqs_cis` and `apply_rotary_emb` are not charged again in later
#   exercises that call them. If you use other code from earlier exercises, its mistakes may cost
#   points again.
# * Cells marked "given" are for you to run and look at. If they need something that you have not
#   written yet, they say so.
#
# **If you know nanochat:** today's nanochat differs from this notebook in four points. It pairs the
# first half of a vector with its second half (here: neighbours). It rotates clockwise (here:
# counterclockwise). It normalises the vectors after the lookup (here: they stay as they are). It
# caps the logits with a tanh (here: no cap). A copy of today's code is good code, but it does not
# solve these exercises.

# %% locked=true
# Given: run this cell first.
import math

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def wait_for(action):
    """Run `action`; if something is not written yet, print what is missing instead of stopping."""
    try:
        action()
    except Exception as reason:
        print("Not ready yet:", type(reason).__name__, reason)


def add_method(owner, name, function):
    """The class `owner` with `function` as its method `name`, unless it has one of its own."""

    def added(self):
        return function(self)

    present = vars(owner).get(name, added)
    if getattr(present, "__qualname__", "") == added.__qualname__:
        setattr(owner, name, added)
    return owner


# %% [markdown]
# ## Part 1: Rotary positions
#
# A sinusoidal encoding is *added* to a vector. The rotary encoding (RoPE, Su et al., 2021)
# *rotates* the vector instead. Take its numbers in neighbouring pairs: (0, 1), (2, 3), (4, 5) and
# so on. Each pair is a point in a plane. At position `p`, pair number `i` is rotated by the angle
# `p · f_i`:
#
#     f_i = theta^(-2i/D)                    i = 0, 1, ..., D/2 - 1
#
#     (x0, x1)  ->  (x0·cos(p·f_i) - x1·sin(p·f_i),  x0·sin(p·f_i) + x1·cos(p·f_i))
#
# `theta` is usually 10000. Pair 0 is the fastest and turns by one radian per position; later pairs
# turn more slowly. Three things follow, and you can use them to check your work:
#
# * position 0 is not rotated: it stays as it is;
# * rotation does not change lengths, so every vector keeps its norm;
# * the dot product of a vector at position `p` with one at position `q` depends only on `p - q`.
#   This is why RoPE suits attention: attention sees distances, not absolute positions.
#
# There is a short way to write this. Read the pair as a complex number, `x0 + i·x1`. Rotating it by
# an angle `a` is one multiplication, by `cos(a) + i·sin(a)`.
#
# ### Exercise 1: The table of rotations
#
# Write `precompute_freqs_cis(dim, end, theta)`. For vectors of the even width `dim` and for the
# positions 0 to `end - 1`, it returns the numbers to multiply by:
#
#     freqs_cis[p, i] = cos(p · f_i) + i·sin(p · f_i)          shape [end, dim/2], complex64
#
# If you prefer real numbers, return a **pair** `(cos, sin)` of two float32 tensors instead, each of
# shape `[end, dim/2]`. Both are accepted.
#
# You may use float64 in between. float32 programs differ slightly when `p` is in the thousands; the
# tolerance allows for that.

# %% exercise="precompute_freqs_cis"
def precompute_freqs_cis(dim, end, theta):
    """Rotations for positions 0 to end - 1: complex64 [end, dim/2], or a pair (cos, sin)."""
    # BEGIN SOLUTION
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
    # END SOLUTION


# %% locked=true
# Given: a small table. Expect two columns and four rows, each entry of the first row 1 + 0i.
def look_at_turns():
    print(precompute_freqs_cis(4, 4, 10000.0))


wait_for(look_at_turns)

# %% [markdown]
# ### Exercise 2: Rotate the pairs
#
# In attention, the vectors have the shape `[B, T, H, Dh]`: batch, position, head, width of a head.
# All heads and all sequences of the batch are rotated in the same way; **the angle depends only on
# the position**, and positions are along axis 1.
#
# Write `apply_rotary_emb(x, freqs_cis)`:
#
# * `x` has the shape `[B, T, H, Dh]`; its dtype is float16, bfloat16, float32 or float64;
# * `freqs_cis` is what your function from exercise 1 returns: a complex table `[T, Dh/2]` with one
#   row for each of the T positions. If you chose pairs there, your function gets the pair
#   `(cos, sin)` as its second argument, each `[T, Dh/2]`. Use the rows as they are: row `t` belongs
#   to position `t` of `x`, and the first row need not be that of position 0 of a text;
# * the result is a new tensor with the shape of `x` and the **dtype of `x`**, in which neighbours
#   `(0, 1)`, `(2, 3)`, ... are rotated by the formula above; each rotated pair takes the place of
#   the original pair. `x` itself stays as it is, and gradients flow back to it;
# * it works on the device of its inputs, the CPU or an accelerator such as a GPU: `x` and the table
#   are on the same one, and the result stays there. This is tested on a simulated accelerator, and
#   on a real one if the grading machine has one.
#
# Be careful with the axes. `[T, Dh/2]` must be combined with the pairs `[B, T, H, Dh/2]`.
# Broadcasting aligns shapes from the right: which axis would `T` be aligned with? If T and H
# differ, the wrong way raises an error. If they happen to be equal, it silently rotates by the
# number of the head.
#
# If you want to use cosines and sines, the function below returns both, from either form of the
# table.

# %% locked=true
# Given: you may use this function, but need not.
def cos_and_sin(table):
    """Cosines and sines, each [T, Dh/2], of a complex table or of a pair (cos, sin)."""
    if torch.is_tensor(table) and table.is_complex():
        return table.real, table.imag
    cos, sin = table
    return cos, sin


# %% exercise="apply_rotary_emb"
def apply_rotary_emb(x, freqs_cis):
    """x [B, T, H, Dh] with its neighbouring pairs rotated by freqs_cis [T, Dh/2]; dtype of x."""
    # BEGIN SOLUTION
    cos, sin = (table.unsqueeze(1) for table in cos_and_sin(freqs_cis))  # [T, 1, Dh/2]
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
    # END SOLUTION


# %% locked=true
# Given: one vector at 60 positions. Left, the paths of two pairs. Right, the dot product of the
# vector at position p with itself at position q, for three p. Do the three curves agree?
def draw_turns():
    vector = torch.tensor([1.0, 0.0, 0.8, 0.0, 0.6, 0.3, -0.5, 0.5])
    x = vector.repeat(1, 60, 1, 1)  # [1, 60, 1, 8]
    turned = apply_rotary_emb(x, precompute_freqs_cis(8, 60, 100.0))[0, :, 0]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    left.plot(turned[:7, 0], turned[:7, 1], "o-", label="pair 0")
    left.plot(turned[:7, 2], turned[:7, 3], "o-", label="pair 1")
    left.set_aspect("equal")
    left.set_title("positions 0 to 6")
    left.legend()
    for p in (20, 30, 40):
        right.plot(range(-20, 20), turned[p - 20 : p + 20] @ turned[p], label=f"p = {p}")
    right.set_xlabel("q - p")
    right.set_title("dot products")
    right.legend()
    plt.show()
    print("largest change of a norm:", (turned.norm(dim=1) - vector.norm()).abs().max().item())


wait_for(draw_turns)

# %% [markdown]
# ### Exercise 3: Lookup, then rotation
#
# Write the module `EmbeddingLayer(vocab_size, n_embd, max_seq_len)`:
#
# * it has one learnable table of shape `[V, D]`, initialized as `nn.Embedding` does, and nothing
#   else that is learnable. The rotations are not parameters;
# * `forward(token_ids)` takes ids `[B, T]` with T between 1 and `max_seq_len` and returns
#   `[B, T, D]`: the rows of the table, each rotated by its position 0 to T-1, with `theta` = 10000.
#
# There are no heads here: the whole width D is **one head**, so D takes the place of Dh. The rows
# are neither scaled nor normalised. Use your two functions, or write it in another way.
#
# The layer works on every device, tested as in exercise 2: moved there by `.to(device)`, also after
# it was used, as a deep copy or loaded from a state dict, it takes ids on that device, and its
# result stays there. Your function from exercise 1 may create its table on the CPU: what moves the
# table to the device?
#
# (Real models rotate the queries and keys inside attention, layer by layer, and leave values and
# embeddings alone. Rotating the embedding itself keeps this notebook short.)

# %% exercise="EmbeddingLayer"
class EmbeddingLayer(nn.Module):
    """Token ids [B, T] to vectors [B, T, D]: rows of a table, rotated by their positions."""

    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        # BEGIN SOLUTION
        self.table = nn.Embedding(vocab_size, n_embd)
        # END SOLUTION

    def forward(self, token_ids):
        # BEGIN SOLUTION
        vectors = self.table(token_ids).unsqueeze(2)  # [B, T, 1, D]: one head
        with vectors.device:  # what is made in here is made there
            freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis).squeeze(2)
        # END SOLUTION


# %% locked=true
# Given: shapes. Expect [2, 5, 8], and 240 learnable numbers.
def look_at_layer():
    layer = EmbeddingLayer(30, 8, 16)
    print("shape    ", list(layer(torch.randint(0, 30, (2, 5))).shape))
    print("learnable", sum(p.numel() for p in layer.parameters() if p.requires_grad))


wait_for(look_at_layer)

# %% [markdown]
# ## Part 2: The way back to words
#
# ### Exercise 4: The unembedding
#
# At the output, one linear layer without a bias turns each vector of width D into V logits.
# nanochat calls it `lm_head`. It starts with **all weights zero**. Then all logits are 0, every
# word is equally likely, and the loss of an untrained model is exactly ln V. A model that starts
# far above ln V prefers some words without any reason.
#
# Make `lm_head`: an `nn.Linear` from width 128 to 1000 words, without bias, all weights zero,
# learnable (as it is by default).

# %% exercise="lm_head"
# Define: lm_head
# BEGIN SOLUTION
lm_head = nn.Linear(128, 1000, bias=False)
nn.init.zeros_(lm_head.weight)
# END SOLUTION

# %% locked=true
# Given: the logits of a random vector, and the loss. Expect 0 twice, and ln 1000 = 6.9078.
def look_at_head():
    logits = lm_head(torch.randn(1, 128)).detach()
    print("smallest and largest logit:", logits.min().item(), logits.max().item())
    print("loss:", F.cross_entropy(logits, torch.tensor([7])).item())


wait_for(look_at_head)

# %% [markdown]
# ### Exercise 5: Both ends together
#
# Write the module `NanoChatEmbeddings(vocab_size, n_embd, max_seq_len)`:
#
# * a learnable token table `[V, D]` and a head `[V, D]`. They are **two** parameters, not one used
#   twice (not *tied*). The head has no bias and starts at zero; the table starts as `nn.Embedding`
#   initializes it. Nothing else is learnable. If you write both as plain `nn.Parameter`s, define
#   the token table first, because they have the same shape;
# * `forward(token_ids, targets=None)` returns a pair `(logits, loss)`:
#   * ids `[B, T]`, with T up to `max_seq_len`, are looked up and rotated as in exercise 3, and go
#     through the head: logits `[B, T, V]`. Nothing is normalised, scaled or capped;
#   * `loss` is `None` without targets. With targets `[B, T]` it is the mean cross-entropy of the
#     logits against them, a single number. The targets are **already** the next tokens: target `t`
#     belongs to logit `t`, and nothing is shifted here;
#   * a target of **-1** means "do not count this position". It is left out of the sum and of the
#     mean.
#
# At the start the loss is ln V, and the gradient of the token table is zero. Exercise 9 asks why.
#
# Build it from your functions of part 1 rather than from your `EmbeddingLayer`: mistakes in that
# class would cost points here as well. The line that stores `n_embd` is for exercise 6.
#
# Like the layer, the model works on every device, moved and tested as in exercise 3: ids and
# targets are on that device, and the logits and the loss stay there.

# %% exercise="NanoChatEmbeddings"
class NanoChatEmbeddings(nn.Module):
    """Token ids [B, T] to logits [B, T, V]: lookup, rotary positions, unembedding."""

    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        # BEGIN SOLUTION
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)
        # END SOLUTION

    def forward(self, token_ids, targets=None):
        # BEGIN SOLUTION
        vectors = self.table(token_ids).unsqueeze(2)  # [B, T, 1, D]: one head of attention
        with vectors.device:
            freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        logits = self.head(apply_rotary_emb(vectors, freqs_cis).squeeze(2))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
        # END SOLUTION


# %% locked=true
# Given: the start. Expect [2, 5, 1000] and 6.9078 for both losses, and no loss in the last line.
def look_at_start():
    model = NanoChatEmbeddings(1000, 128, 16)
    ids, targets = torch.randint(0, 1000, (2, 2, 5))
    logits, loss = model(ids, targets)
    print("logits", list(logits.shape), "loss", loss.item(), "ln V", math.log(1000))
    targets[0, :3] = -1
    print("three places left out:", model(ids, targets)[1].item())
    print("without targets:", model(ids)[1])


wait_for(look_at_start)

# %% [markdown]
# ### Exercise 6: A learning rate that fits the width
#
# A wide model needs smaller steps. nanochat tunes its learning rate at a width of 768 and
# multiplies it, for a model of width D, by
#
#     (D / 768) ^ (-0.5)
#
# which is 1 at 768 and larger for narrower models. Write `get_learning_rate_scale()` as a method of
# `NanoChatEmbeddings`: it takes only the model itself and returns this number for the model's
# width, which is in `self.n_embd`.
#
# Write it below; the last line of the cell makes the function a method of your class. If you have
# already written the method in the class of exercise 5, that one counts, and you can leave this
# cell as it is.

# %% exercise="get_learning_rate_scale"
def get_learning_rate_scale(self):
    """The factor for the learning rate at the width of this model."""
    # BEGIN SOLUTION
    return (self.n_embd / 768) ** -0.5
    # END SOLUTION


NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)

# %% locked=true
# Given: two widths, of which you know one.
def look_at_scale():
    for width in (768, 64):
        print(width, NanoChatEmbeddings(10, width, 4).get_learning_rate_scale())


wait_for(look_at_scale)

# %% [markdown]
# ## Part 3: Training
#
# Can two tables without a network in between learn anything? Yes, if the next token depends only on
# the current one. In the corpus below there are 24 tokens, and `5x + 3` (modulo 24) follows `x`.
# Random targets would be a bad test: nothing can predict them, and the loss stays at ln 24 = 3.18
# or rises.
#
# ### Exercise 7: Train
#
# Write `train_steps(model, batches, lr)`:
#
# * `model` is called as `model(inputs, targets)` and returns `(logits, loss)`, as in exercise 5. It
#   is an object of your class, with different numbers and a different `forward`; if your class does
#   not meet the requirements of exercise 5, it is another model, of which you may use
#   `parameters()`, `named_parameters()`, `n_embd`, `max_seq_len` and `get_learning_rate_scale()`;
# * `batches` is a list of pairs `(inputs, targets)`, both `[B, T]`; the targets are the next
#   tokens;
# * for each batch, in the order of the list, an optimiser takes **one** step for all parameters of
#   the model, with the learning rate `lr`. Which optimiser is up to you; Adam is a good choice. The
#   model that is passed is trained, not a copy;
# * it returns the losses, one number per batch: the loss that the model had on that batch
#   **before** the step.
#
# It works on the device of its inputs, tested as in exercise 2: model and batches are on the same
# one, and nothing has to be moved. The losses may be plain numbers, or be on any device.
#
# On the corpus, a new model of width 64 must reach a loss below 0.7 · ln 24 after 100 batches at lr
# = 0.01. With lr = 0 nothing changes, and the losses are those of the model as it is.
#
# PyTorch adds new gradients to existing ones. Clear the old ones, or each step also repeats all the
# earlier ones; the model that is passed may already have gradients, too.

# %% locked=true
# Given: batches of the corpus.
def corpus(count, seed):
    """`count` pairs (inputs, next tokens), each [4, 6], of the rule x -> 5x + 3 modulo 24."""
    generator = torch.Generator().manual_seed(seed)
    made = []
    for _ in range(count):
        tokens = [torch.randint(0, 24, (4,), generator=generator)]
        for _ in range(6):
            tokens.append((5 * tokens[-1] + 3) % 24)
        sequence = torch.stack(tokens, dim=1)
        made.append((sequence[:, :-1], sequence[:, 1:]))
    return made


inputs, next_tokens = corpus(1, 0)[0]
print("inputs     ", inputs[0].tolist())
print("next tokens", next_tokens[0].tolist())

# %% exercise="train_steps"
def train_steps(model, batches, lr):
    """One optimiser step per batch (inputs, next tokens); returns the loss of each batch."""
    # BEGIN SOLUTION
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
    # END SOLUTION


# %% locked=true
# Given: 100 batches. The first loss is ln 24 = 3.178; the last one should be well below 2.22.
def look_at_training():
    losses = train_steps(NanoChatEmbeddings(24, 64, 6), corpus(100, 1), 0.01)
    for step in (0, 9, 49, 99):
        print(f"batch {step:2}: loss {float(losses[step]):.3f}")


wait_for(look_at_training)

# %% [markdown]
# ## Part 4: Look at a table
#
# ### Exercise 8: Two principal components
#
# A table of width 32 cannot be drawn, but a projection of it can. *Principal component analysis*
# (PCA) finds the direction in which the rows differ most, then the direction perpendicular to it in
# which they differ most, and so on. First the mean row is subtracted; the directions are then the
# right singular vectors of the result (or the eigenvectors of its covariance matrix).
#
# How much does the picture show? Each component accounts for a share of the total variance. The
# **explained variance** of a component is this share, for example 0.31 or 31 %. It is proportional
# to the squared singular value, or to the eigenvalue.
#
# Below is a table of 24 vectors with a hidden structure. Draw it:
#
# * a matplotlib **scatter** plot: one point for each of the 24 rows without their mean, so that the
#   points are centred on 0; the first component to the right, the second upwards. Either sign of a
#   component is fine. A figure that is closed before it is shown does not count;
# * the explained variance of the two components, separately or as a sum, as a number in the title,
#   in an axis label, or printed.
#
# You may use SVD, eigenvectors or, if you have it, scikit-learn. What do you see?

# %% locked=true
# Given: 24 vectors of width 32. The function is there so that nothing can overwrite the table.
def hidden_table():
    """A table [24, 32], always the same."""
    token, column = torch.arange(24)[:, None], torch.arange(32)[None, :]
    angle = 2 * math.pi * (token * 7 % 24) / 24
    table = 1.5 + torch.cos(1.1 * column)
    table = table + 0.30 * torch.cos(angle) * torch.cos(2 * math.pi * 3 * column / 32)
    table = table + 0.22 * torch.sin(angle) * torch.sin(2 * math.pi * 3 * column / 32)
    return table + 0.16 * torch.sin(12.9898 * token * token + 78.233 * column + token * column)


print("shape", list(hidden_table().shape))

# %% exercise="pca_figure"
# Draw the rows of hidden_table()
# BEGIN SOLUTION
rows = hidden_table()
left, sizes, _ = torch.linalg.svd(rows - rows.mean(dim=0))
points = left[:, :2] * sizes[:2]
explained = sizes**2 / (sizes**2).sum()

plt.figure(figsize=(4, 4))
plt.scatter(points[:, 0], points[:, 1])
plt.xlabel(f"component 1, explained variance {explained[0]:.3f}")
plt.ylabel(f"component 2, explained variance {explained[1]:.3f}")
plt.show()
# END SOLUTION

# %% [markdown]
# ## Part 5: In your own words
#
# This answer is graded by hand. A few sentences are enough; reasons count more than length.
#
# ### Exercise 9: Reflection
#
# Set `reflection` to a text that answers three questions:
#
# 1. The table `freqs_cis` was computed for 512 positions and a text has 600 tokens. What has to be
#    done, and does anything have to be learned? Compare with a table of learned positions.
# 2. At the first step the gradient of the token table is zero, and yet the table is trained in the
#    end. Why is it zero, and why does it not stay zero?
# 3. A classmate rotated by the number of the head instead of the position. All shapes are right and
#    the loss falls. How could they have noticed?

# %% exercise="reflection"
# Define: reflection (a text)
# BEGIN SOLUTION
reflection = """
1. Make the table longer: it is a formula with no learned numbers, so rows 512 to 599 are computed
   like the others. The model has not met such angles in training, so quality may drop. A learned
   table has no row 512; it would have to be enlarged and trained.
2. The gradient into the table comes through the head: it is the head's weights times the error.
   These are zero, so nothing arrives. The head's own gradient is made of the vectors and the error,
   which are not zero; after one step the head is not zero, and gradients reach the table.
3. By a property that shapes do not show: position 0 must stay as it is for every head; or the
   same vector at two positions must come out different; or dot products must depend on p - q
   alone; or by using T different from H, where the wrong axis raises an error.
"""
# END SOLUTION

# %% [markdown]
# ## What to take away
#
# * RoPE rotates pairs of numbers by an angle that grows with the position. It keeps norms, and it
#   makes dot products depend only on distances.
# * Right shapes prove little. Know which properties must hold, and check them.
# * With a head that starts at zero, the first loss is ln V. Know this number for your V, and
#   compare before you train.
# * Loss functions need to know which positions do not count, and which target belongs to which
#   logit.
