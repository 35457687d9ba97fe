# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Embeddings and position: what goes into a transformer
#
# A transformer computes with vectors, not with words. Its input has to answer two questions:
#
# 1. **Which token is it?** An *embedding table* turns a token's number into a vector.
# 2. **Where is it?** A *positional encoding* adds its position in the sequence.
#
# In this notebook you build both, look at them, and add them to the input of a model.
#
# **Letters used throughout**
#
# | letter | meaning | example |
# | --- | --- | --- |
# | V | vocabulary size: how many different tokens there are | 50257 in GPT-2 |
# | D | width of a vector, also called `d_model` or `n_embd` | 768 in GPT-2 |
# | T | length of a sequence, counted in tokens | 5 |
# | B | batch size: sequences that are processed together | 8 |
#
# **How to work in this notebook**
#
# * Each exercise has one code cell for your answer. The line `Define:` lists the names that it must
#   define, spelled exactly like this. You may add cells, names and functions.
# * Functions are called with their arguments in the order given here. You may rename the
#   parameters, and add more if they have defaults.
# * Unless an exercise says otherwise, only numbers and shape count, not their container: a tensor,
#   a NumPy array and a list of the same numbers are all fine.
# * Your tables are random, so your answers are compared with *your own* tables. Mistakes in a
#   table, in `cosine_similarity` and in `sinusoidal_positional_encoding` are not charged again in
#   later exercises that use them, unless a cell there stops with an error because of them. If you
#   call other functions from earlier exercises, their mistakes may cost points again.
# * Cells marked "given" are for you to run and look at. If they need something that you have not
#   written yet, they say so.

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


# %% [markdown]
# ## Part 1: From tokens to vectors
#
# ### Exercise 1: Look up one token
#
# An embedding is a table of V rows and D columns. The token with the number `i`, its *id*, gets row
# `i`. That is all: a lookup. What makes the table useful is that its numbers are *parameters*.
# Training changes them until tokens that are used in similar ways have similar rows.
#
# In PyTorch the table is `nn.Embedding(V, D)`, and the numbers are in its `.weight`.
#
# Make a table for 10 tokens with vectors of width 4, and get the vector of token 3 in two ways:
#
# * `embedding`: an `nn.Embedding` with 10 rows and 4 columns, learnable (as it is by default);
# * `via_call`: the vector of token 3, by *calling* `embedding` with a tensor of ids;
# * `via_index`: the same vector, by *indexing* the weight.
#
# Ids are counted from 0, so token 3 is the fourth row. Results of shape `[4]` and `[1, 4]` are both
# accepted: leading axes of length 1 do not matter in exercises 1 and 3.

# %% exercise="embedding_lookup"
# Define: embedding, via_call, via_index
# BEGIN SOLUTION
embedding = nn.Embedding(10, 4)
via_call = embedding(torch.tensor(3))
via_index = embedding.weight[3]
# END SOLUTION

# %% locked=true
# Given: a look at the table. Both vectors should be the fourth line.
def look_at_lookup():
    print(embedding.weight.data)
    print("via_call ", via_call.detach())
    print("via_index", via_index.detach())


wait_for(look_at_lookup)

# %% [markdown]
# ### Exercise 2: Count the parameters
#
# An embedding table is often one of the largest parts of a small language model. How many
# learnable numbers does `nn.Embedding(50000, 768)` hold?
#
# * `big_params`: the number of parameters of `nn.Embedding(50000, 768)`;
# * `doubled_vocab_params`: the number of parameters when V is doubled and D stays the same;
# * `halved_dim_params`: the number of parameters when D is halved and V is 50000 as before.
#
# You do not have to create the tables; the large one takes 150 megabytes. `38.0`, `38` and a tensor
# that holds 38 are the same number here, but the text `"38"` is not a number.

# %% exercise="parameter_count"
# Define: big_params, doubled_vocab_params, halved_dim_params
# BEGIN SOLUTION
big_params = 50000 * 768
doubled_vocab_params = (2 * 50000) * 768
halved_dim_params = 50000 * (768 // 2)
# END SOLUTION

# %% [markdown]
# ### Exercise 3: A lookup is a matrix product
#
# Why can a lookup be part of a network that is trained by gradients? Because it is a matrix product
# in disguise. The **one-hot vector** of token `i` has V numbers: a 1 at index `i`, and 0 everywhere
# else. Multiplying it by the table keeps row `i` and cancels the rest:
#
#     one_hot(i) @ W  =  0·W[0] + ... + 1·W[i] + ... + 0·W[V-1]  =  W[i]
#
# So both ways give the same vector, and the same gradient: only row `i` changes. They differ in
# cost. For T = 512 tokens and V = 50,000 the one-hot vectors alone are 25,600,000 numbers, nearly
# all of them zero. The lookup only needs 512 ids.
#
# One-hot vectors also know nothing about meaning: any two different ones are at a right angle
# (cosine 0) and at the same distance, √2. "cat" is as far from "dog" as from "Tuesday".
#
# With your `embedding` from exercise 1:
#
# * `one_hot`: the one-hot vector of token 3 of 10;
# * `via_matmul`: its product with `embedding.weight`; `via_lookup`: the lookup of token 3;
# * `via_matmul_all` and `via_lookup_all`: the same two for all ids 0 to 9 at once, shape `[10, 4]`;
# * `one_hot_lookup(weight, token_ids)`: for a float table `weight` of shape `[V, D]` and integer
#   ids of any shape `[...]` with one axis or more, the vectors of shape `[..., D]`. Gradients must
#   reach `weight`. The ids may be a transposed tensor, and need not contain the largest id. The
#   idea is to use one-hot vectors, but only values and gradients count: indexing is accepted as
#   well. The function works on the device of its inputs, the CPU or an accelerator such as a GPU,
#   and its result stays there.
#
# A tensor that a function creates is on the CPU unless you say otherwise: `torch.zeros(5)` is,
# `torch.zeros(5, device=weight.device)` is on the device of `weight`. All tensors in one operation
# must be on the same device. This is tested on a simulated accelerator, and on a real one if the
# grading machine has one.

# %% exercise="one_hot_equivalence"
def one_hot_lookup(weight, token_ids):
    """Rows of `weight` [V, D] for ids of shape [...], by one-hot vectors: shape [..., D]."""
    # BEGIN SOLUTION
    rows = F.one_hot(token_ids, num_classes=weight.shape[0])
    return rows.to(weight.dtype) @ weight
    # END SOLUTION


# Define: one_hot, via_matmul, via_lookup, via_matmul_all, via_lookup_all
# BEGIN SOLUTION
one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))

via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
# END SOLUTION

# %% locked=true
# Given: are the two ways the same, and what shape does a batch get?
def look_at_one_hot():
    print("one token: largest difference", (via_matmul - via_lookup).abs().max().item())
    print("all tokens: largest difference", (via_matmul_all - via_lookup_all).abs().max().item())
    batch = torch.tensor([[1, 2, 3], [4, 5, 6]])
    print("ids", tuple(batch.shape), "-> vectors", tuple(one_hot_lookup(embedding.weight, batch).shape))


wait_for(look_at_one_hot)

# %% [markdown]
# ### Exercise 4: Cosine similarity
#
# How similar are two vectors? The usual measure for embeddings is the cosine of the angle between
# them: the dot product, divided by both lengths.
#
#     cos(a, b) = (a · b) / (|a| · |b|)          |a| = √(a · a)
#
# It is 1 for the same direction, 0 for a right angle and -1 for opposite directions, and the
# lengths of the vectors do not matter. A vector of zeros has no direction. For one, your function
# may return any finite number, but it must not return NaN or raise an error.
#
# * `cosine_similarity(a, b)`: for two vectors of the same width; a float or anything that `float()`
#   accepts. It works on the device of its inputs, too, tested as in exercise 3: a float has no
#   device, and a tensor that you return stays on the device of `a` and `b`;
# * `random_emb`: an `nn.Embedding` of 5 rows and 64 columns, as PyTorch creates it;
# * `trained_emb`: an `nn.Embedding` of 5 rows and 4 columns whose numbers *you* set, as if it had
#   been trained on the five words `cat`, `dog`, `horse`, `car`, `idea` in this order. Rows 0, 1 and
#   2 are the animals: any two of them must have a cosine above 0.9. Each animal must have a cosine
#   below 0.5 with row 3 and with row 4.

# %% exercise="cosine_similarity"
def cosine_similarity(a, b):
    """Cosine of the angle between two vectors [D], as a float; finite for zero vectors too."""
    # BEGIN SOLUTION
    a = torch.as_tensor(a, dtype=torch.float32)
    b = torch.as_tensor(b, dtype=torch.float32)
    lengths = torch.sqrt((a * a).sum()) * torch.sqrt((b * b).sum())
    if lengths == 0:
        return 0.0
    return float((a * b).sum() / lengths)
    # END SOLUTION


# Define: random_emb, trained_emb
# BEGIN SOLUTION
random_emb = nn.Embedding(5, 64)
words_by_hand = [
    [1.0, 0.9, 0.1, 0.0],  # cat
    [0.9, 1.0, 0.0, 0.1],  # dog
    [1.1, 0.8, 0.2, 0.1],  # horse
    [0.1, 0.0, 1.0, 0.1],  # car
    [0.0, 0.1, 0.1, 1.0],  # idea
]
trained_emb = nn.Embedding(5, 4)
with torch.no_grad():
    trained_emb.weight.copy_(torch.tensor(words_by_hand))
# END SOLUTION

# %% locked=true
# Given: all pairs of rows. In a new table of width 64, no two words are very similar.
def look_at_cosines():
    words = ["cat", "dog", "horse", "car", "idea"]
    for name, table in (("random_emb", random_emb), ("trained_emb", trained_emb)):
        print(name)
        for i, word in enumerate(words):
            row = [cosine_similarity(table.weight[i].detach(), table.weight[j].detach()) for j in range(5)]
            print(f"  {word:6}", "  ".join(f"{float(value):6.2f}" for value in row))


wait_for(look_at_cosines)

# %% [markdown]
# ## Part 2: Where is a token?
#
# A table lookup gives "dog" the same vector wherever it occurs, so "dog bites man" and "man bites
# dog" consist of the same three vectors. A transformer's attention looks at all of them at once and
# has no sense of order by itself. The order must be *in the vectors*.
#
# The sinusoidal encoding (Vaswani et al., 2017, section 3.5) gives each position `p` a vector of
# waves. Columns come in pairs `i = 0, 1, 2, ...`, a sine and a cosine of one frequency:
#
#     PE[p, 2i]     = sin(p / 10000^(2i/D))
#     PE[p, 2i + 1] = cos(p / 10000^(2i/D))
#
# Some consequences of the formula, with which you can check your function:
#
# * row 0 is 0, 1, 0, 1, ... because positions are counted **from 0**;
# * every entry is between -1 and 1, and for an even D the squared length of every row is D/2;
# * nothing is learned, so there is a row for any position, however large.
#
# ### Exercise 5: The encoding
#
# Write `sinusoidal_positional_encoding(max_len, d_model)`, which returns the table of shape
# `[max_len, d_model]` for the positions 0 to `max_len - 1`. The fine print:
#
# * **Odd widths are required.** Any `d_model` of 1 or more must work. If it is odd, the last sine
#   column has no partner: its cosine would be one column too many. For `d_model = 7` the columns
#   are sin, cos, sin, cos, sin, cos, sin, and D in the formula is 7.
# * **Shape.** Always `[max_len, d_model]`: `(1, 2)` gives one row, and `(0, 8)` gives an empty table
#   of shape `[0, 8]`.
# * **Type.** The table is `float32`, whatever PyTorch's default type is at that moment. You may use
#   float64 or complex numbers in between.
# * **Precision.** Correct float32 programs differ slightly, and more so at larger positions:
#   rounding an angle of 10,000 radians costs about a thousandth. The tolerance allows for that.
# * **Speed.** One point is for not looping in Python over every single entry. You lose it only if a
#   table of 4096 x 512 takes more than 60 times the processor time of a version without loops. A
#   loop over only the columns is fine.
#
# Hint: `exp(-log(10000) · 2i/D)` and `1 / 10000^(2i/D)` are the same number.

# %% exercise="positional_encoding"
def sinusoidal_positional_encoding(max_len, d_model):
    """Sinusoidal encoding of positions 0 to max_len - 1: float32, shape [max_len, d_model]."""
    # BEGIN SOLUTION
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    even_columns = torch.arange(0, d_model, 2, dtype=torch.float32)
    frequencies = torch.exp(even_columns * (-math.log(10000.0) / d_model))
    angles = positions * frequencies  # [max_len, number of pairs]

    table = torch.empty(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])  # an odd width has one cosine less
    return table
    # END SOLUTION


# %% locked=true
# Given: shapes and the first row. Expect [4, 8], [1, 2], [6, 7], [0, 8] and 0, 1, 0, 1, ...
def look_at_encoding():
    for size in ((4, 8), (1, 2), (6, 7), (0, 8)):
        table = sinusoidal_positional_encoding(*size)
        print(size, "->", list(table.shape), table.dtype)
    print("row 0:", sinusoidal_positional_encoding(4, 8)[0])


wait_for(look_at_encoding)

# %% [markdown]
# Look at individual columns: each is a wave along the positions. Run the cell below and compare the
# first two columns with the last two of a table that is 32 wide.

# %% locked=true
# Given: four columns of your table as curves.
def draw_columns():
    table = sinusoidal_positional_encoding(100, 32)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3), sharey=True)
    for axes, columns in ((left, (0, 1)), (right, (30, 31))):
        for column in columns:
            axes.plot(range(100), table[:, column], label=f"column {column}")
        axes.set_xlabel("position")
        axes.legend(loc="lower right")
    left.set_ylabel("value")
    figure.suptitle("Single columns of the encoding, D = 32")
    plt.show()


wait_for(draw_columns)

# %% [markdown]
# ### Exercise 6: Draw the encoding
#
# Draw the whole table as a heatmap.
#
# * `pe`: your encoding of 20 positions with D = 64;
# * a matplotlib figure that shows `pe` with `imshow`, `matshow`, `pcolormesh` or `pcolor`;
# * a **diverging** colour map (two colours that meet in a pale middle, such as `RdBu` or
#   `coolwarm`), with the value **0 in its middle** (within 2 %), so that the colour shows the sign;
# * a label on each axis that says which one is the position and which one is the dimension. The
#   positions may be on either axis, as long as the labels match the picture;
# * a colour bar.
#
# All figures that this cell shows or leaves open are checked; it is enough if one of them meets all
# the requirements.

# %% exercise="pe_heatmap"
# Define: pe, and draw the figure
# BEGIN SOLUTION
pe = sinusoidal_positional_encoding(20, 64)

plt.figure(figsize=(9, 4))
plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("embedding dimension")
plt.ylabel("position")
plt.title("Sinusoidal positional encoding")
plt.colorbar(label="value")
plt.show()
# END SOLUTION

# %% [markdown]
# ### Exercise 7: Which columns change fastest?
#
# Some explanations of this picture get the next point the wrong way round, so look at the formula,
# at the curves and at your heatmap. From one position to the next, which columns change fastest:
# those at the beginning of a row, or those at its end?
#
# Set `frequency_order` to one of these two texts: `'first columns'` or `'last columns'`.

# %% exercise="frequency_order"
# Define: frequency_order
# BEGIN SOLUTION
# Columns 0 and 1 turn by one radian per position; the last pair by hardly more than 1/10000.
frequency_order = "first columns"
# END SOLUTION

# %% [markdown]
# ### Predict: two pairs of rows
#
# Before you read on: in the encoding of width 64, rows 10 and 17 are seven positions apart, and so
# are rows 60 and 67. Which dot product is larger, `PE[10] · PE[17]` or `PE[60] · PE[67]`?
#
# Set `larger_product` to one of the texts `'the first'`, `'the second'` and `'neither'`. A right
# prediction earns no points, and a wrong one loses none. The cell after yours saves your
# prediction, and then shows the answer.

# %% exercise="larger_product"
# Define: larger_product
# BEGIN SOLUTION
larger_product = "neither"
# END SOLUTION

# %% [markdown]
# ### Why waves?
#
# A step of `k` positions rotates each sine and cosine pair by a fixed angle. So `PE[p + k]` is a
# *rotation* of `PE[p]`, the same one for every `p`: a model can learn "three positions back" once
# and use it anywhere. It also follows that the dot product of two rows depends only on their
# distance. The cell below shows both: the picture of all dot products has stripes along its
# diagonals, and one rotation takes row `p` to row `p + 7` for all `p` at once.

# %% locked=true
# Given: dot products of all pairs of rows, and the rotation by seven positions.
def draw_products():
    table = sinusoidal_positional_encoding(100, 64)
    products = table @ table.T
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5))
    left.imshow(products, cmap="viridis")
    left.set_xlabel("position q")
    left.set_ylabel("position p")
    left.set_title("PE[p] · PE[q], bright is large")
    for p in (30, 50, 70):
        right.plot(range(-30, 30), products[p, p - 30 : p + 30], label=f"p = {p}")
    right.set_xlabel("q - p")
    right.set_title("the same curve for every p")
    right.legend()
    plt.show()

    step = 7 / 10000.0 ** (torch.arange(0, 64, 2) / 64)
    sines, cosines = table[:-7, 0::2], table[:-7, 1::2]
    turned = torch.stack(
        [sines * step.cos() + cosines * step.sin(), cosines * step.cos() - sines * step.sin()], dim=-1
    ).flatten(1)
    print("rotated by 7 positions: largest difference", (turned - table[7:]).abs().max().item())


wait_for(draw_products)

# %% [markdown]
# ## Part 3: The input of a model
#
# ### Exercise 8: Token plus position
#
# The two vectors of a token, its row of the table and the row of its position, are **added**.
# Nothing is appended: `[T, D]` stays `[T, D]`, and `[B, T, D]` stays `[B, T, D]`.
#
# The 2017 paper multiplies the token vectors by √D before the addition. **Do not do that here**:
# the rows of the table are added as they are.
#
# First by hand, for one sentence:
#
# * `token_embedding`: `nn.Embedding(100, 64)`;
# * `pe_matrix`: your encoding of 128 positions, 64 wide;
# * `token_ids`: a tensor of the five ids 23, 45, 12, 67, 89;
# * `model_input`: the token vectors plus the encodings of the positions 0 to 4, shape `[5, 64]` (or
#   `[1, 5, 64]`).
#
# GPT-2 does not use waves. It has a second table with one learned row per position:
#
# * `pos_embedding`: `nn.Embedding(128, 64)`, that is 128 x 64 = 8,192 more parameters;
# * `model_input_learned`: the token vectors plus rows 0 to 4 of this table.
#
# Then as a function:
#
# * `embed_tokens(token_embedding, token_ids)`: for any `nn.Embedding`, of any V and D (**odd ones,
#   too**), and ids of shape `[T]`, `[B, T]` or with more leading axes, the token vectors plus the
#   *sinusoidal* encoding of the positions 0 to T-1. T is the last axis of the ids. The result has
#   the shape of the ids plus one axis D at the end. The table and the ids stay as they are (nothing
#   is changed in place), and gradients reach the table. The function works on the device of its
#   inputs, tested as in exercise 3: table and ids are on one device, and the result stays there.

# %% exercise="input_pipeline"
def embed_tokens(token_embedding, token_ids):
    """Token vectors plus sinusoidal encoding: ids [..., T] and a table [V, D] give [..., T, D]."""
    # BEGIN SOLUTION
    vectors = token_embedding(token_ids)
    length, width = vectors.shape[-2:]
    encoding = sinusoidal_positional_encoding(length, width)
    return vectors + encoding.to(vectors.device)
    # END SOLUTION


# Define: token_embedding, pe_matrix, token_ids, model_input, pos_embedding, model_input_learned
# BEGIN SOLUTION
token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[: len(token_ids)]

pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(len(token_ids)))
# END SOLUTION

# %% locked=true
# Given: shapes. Expect [5, 64] twice and then [2, 3, 8].
def look_at_pipeline():
    print("model_input        ", list(model_input.shape))
    print("model_input_learned", list(model_input_learned.shape))
    batch = torch.tensor([[1, 2, 3], [3, 2, 1]])
    print("embed_tokens       ", list(embed_tokens(nn.Embedding(10, 8), batch).shape))


wait_for(look_at_pipeline)

# %% [markdown]
# ### Exercise 9: A bag of words
#
# Two sentences of the same words:
#
#     the dog bites the man
#     the man bites the dog
#
# Look both up in one table. Each gives five vectors. Put each sentence's vectors into a bag and
# shake it: are the two bags equal? In other words: are the rows of both equal as a **multiset**,
# where order does not matter, but how often a row occurs does?
#
# * `equal_without_positions`: whether the bags are equal for the token vectors alone;
# * `equal_with_positions`: whether the bags are equal once the encodings have been added.
#
# Both are `True` or `False`. Find out by computing, not by guessing: you get points only if both
# are right.
#
# A warning: do not compare *sums* over the positions. Addition forgets the order, so the encodings
# of the positions 0 to 4 add up to the same total in both sentences, and so do the words.

# %% locked=true
# Given: the two sentences as ids.
vocabulary = ["the", "dog", "bites", "man"]
ids_first = torch.tensor([vocabulary.index(word) for word in "the dog bites the man".split()])
ids_second = torch.tensor([vocabulary.index(word) for word in "the man bites the dog".split()])
print(ids_first, ids_second)

# %% exercise="bag_of_words"
# Define: equal_without_positions, equal_with_positions
# BEGIN SOLUTION
def same_bag(rows, other_rows):
    """Whether two tables [T, D] have equal rows, in any order but each as often."""
    return sorted(rows.tolist()) == sorted(other_rows.tolist())


word_table = nn.Embedding(len(vocabulary), 16)
waves = sinusoidal_positional_encoding(5, 16)
first, second = word_table(ids_first).detach(), word_table(ids_second).detach()

equal_without_positions = same_bag(first, second)
equal_with_positions = same_bag(first + waves, second + waves)
# END SOLUTION

# %% [markdown]
# The next cell shows the trap: with positions, the *rows* of the two sentences differ, but their
# *sums* are equal up to rounding. A model that only added up its input vectors would still not
# notice the order. Attention works row by row, so it can.

# %% locked=true
# Given: rows against sums.
def compare_rows_and_sums():
    table = nn.Embedding(4, 16)
    first_rows = embed_tokens(table, ids_first).detach()
    second_rows = embed_tokens(table, ids_second).detach()
    print("largest difference of the row of 'dog':", (first_rows[1] - second_rows[4]).abs().max().item())
    print("largest difference of the sums:        ", (first_rows.sum(0) - second_rows.sum(0)).abs().max().item())


wait_for(compare_rows_and_sums)

# %% [markdown]
# ## Part 4: A real trained table
#
# ### Exercise 10 (extra points): Neighbours in a pretrained table
#
# GPT-2's token table was trained on 40 gigabytes of text. Which tokens have rows similar to that of
# " king"? Load the tokenizer and the table with the library `transformers`:
#
#     GPT2Tokenizer.from_pretrained("gpt2")
#     GPT2Model.from_pretrained("gpt2").wte.weight        shape [V, D]
#
# (`AutoTokenizer` and `AutoModel` work too.) The first time, this downloads the model; after that
# it works offline. When your work is graded, there is no network, and a model that your instructor
# provides loads under the same name. It may be smaller, so take V and D from the table. If
# `transformers` is not installed, this cell fails, but no other exercise is affected.
#
# * `find_nearest_tokens(word, k)`: a list of `k` pairs `(token, score)`, best first. `score` is the
#   cosine between the two rows as a float, `token` is the text that the tokenizer decodes from the
#   id. The query token itself is left out. Leave it out **by its id**: if another token has the
#   same vector, the first result is not necessarily the query.
# * `token_similarity(a, b)`: the cosine between the rows of two words. You can use your
#   `cosine_similarity` from exercise 4 here; `find_nearest_tokens` compares with the whole table at
#   once, so compute its cosines there.
#
# `tokenizer.encode(word)` returns a list of ids, and `tokenizer.decode([id])` returns text. Words
# are passed exactly as they should be encoded, often with a leading space: within a text, GPT-2
# reads " king" as one token, which differs from "king". Do not add or remove spaces. Every word
# that is passed is a single token.

# %% exercise="pretrained_neighbours"
def find_nearest_tokens(word, k):
    """The k tokens most similar to `word`: a list of (token, cosine), best first."""
    # BEGIN SOLUTION
    query = tokenizer.encode(word)[0]
    cosines = directions @ directions[query]
    cosines[query] = -math.inf  # the query itself, by its id
    scores, ids = torch.topk(cosines, k)
    return [(tokenizer.decode([i]), score) for score, i in zip(scores.tolist(), ids.tolist())]
    # END SOLUTION


def token_similarity(a, b):
    """Cosine between the rows of two words in the pretrained table, as a float."""
    # BEGIN SOLUTION
    first, second = tokenizer.encode(a)[0], tokenizer.encode(b)[0]
    return float(cosine_similarity(directions[first], directions[second]))
    # END SOLUTION


# Load the tokenizer and the table here.
# BEGIN SOLUTION
from transformers import GPT2Model, GPT2Tokenizer

tokenizer = GPT2Tokenizer.from_pretrained("gpt2")
directions = F.normalize(GPT2Model.from_pretrained("gpt2").wte.weight.detach(), dim=1)
# END SOLUTION

# %% locked=true
# Given: five neighbours of " king".
def look_at_neighbours():
    for token, score in find_nearest_tokens(" king", 5):
        print(f"{score:6.3f}  {token!r}")
    print("king and queen:", token_similarity(" king", " queen"))


wait_for(look_at_neighbours)

# %% [markdown]
# ## Part 5: In your own words
#
# These two answers are graded by hand. Assign a text to the name; a few sentences are enough.
# Reasons count more than length.
#
# ### Exercise 11: Predict, then explain
#
# Set `predictions` to a text with three predictions and your reasons:
#
# 1. What can a transformer without any positional information know about the order of its tokens?
# 2. A model was trained on sequences of up to 1,000 tokens and now gets 5,000. What happens with
#    sinusoidal encodings, and what with a learned table of positions?
# 3. The vocabulary is doubled. What happens to the number of parameters of the token table, and to
#    the cost of the layers after it?

# %% exercise="predictions"
# Define: predictions (a text)
# BEGIN SOLUTION
predictions = """
1. Nothing. Attention sees a set of vectors; the same tokens in another order give the same
   vectors in another order, so no output can tell which came first.
2. The sinusoidal encoding is a formula: rows 1,000 to 4,999 exist without any training. The model
   has never met them, so its quality may still drop. A learned table of 1,000 rows has no row
   1,000: the lookup fails unless the table is enlarged and trained further.
3. The token table has V x D parameters, so it doubles. The vectors keep their width D, and the
   layers behind the table see nothing of V (only a head that predicts tokens grows as well).
"""
# END SOLUTION

# %% [markdown]
# ### Exercise 12: Another alphabet: DNA
#
# A DNA sequence is a text of the four letters A, C, G and T. You want to feed it to a transformer.
# Set `dna_transfer` to a text that says
#
# * what your tokens are, how large V is, and how long the sequences become;
# * how many parameters the table has for a D of your choice, and whether one-hot vectors would work
#   as well;
# * whether order matters, and so whether positions are needed;
# * which positional encoding you choose if you train on pieces of 1,000 letters and want to use the
#   model on pieces of 5,000.

# %% exercise="dna_transfer"
# Define: dna_transfer (a text)
# BEGIN SOLUTION
dna_transfer = """
Tokens: single letters, V = 4 (5 with N for "unknown"). The sequences are long: one token per
letter. Words of k letters would make them up to k times shorter, at the price of V = 4^k.
Table: with D = 64 it has 4 x 64 = 256 parameters. One-hot vectors followed by a linear layer
without bias are the same thing, so they would do as well.
Order carries the meaning (ACG is not GCA), so positions are needed.
Sinusoidal, or relative or rotary: they are defined at 5,000 though training ended at 1,000. A
learned table of 1,000 rows would have nothing to look up there.
"""
# END SOLUTION

# %% [markdown]
# ## What to take away
#
# * An embedding is a table. A lookup selects a row, just as a one-hot vector times the table does.
# * The table has V x D parameters. The direction of a row carries its meaning: compare directions
#   with the cosine.
# * Positions are added, not appended. The wave in the columns 0 and 1 is the fastest, one radian per
#   position; towards the end of a row the waves become slower and slower.
# * A formula works for any position. A learned table ends at its last row.
