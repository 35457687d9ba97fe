# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Embedding fundamentals: from one-hot vectors to a trained input layer
#
# A model computes with numbers, but a text consists of words. This notebook goes all the way from
# words to the vectors that a transformer reads, and you build every step yourself, first in NumPy
# and then as PyTorch modules:
#
# 1. one-hot vectors, and what they cannot express;
# 2. embedding tables, and how a sentence becomes a table of numbers;
# 3. positional encodings, as a function and as a module;
# 4. training a small table until words that are used in similar ways have similar vectors;
# 5. a text embedding that handles unknown words and texts of different lengths.
#
# **Letters used throughout**
#
# | letter | meaning |
# | --- | --- |
# | V | vocabulary size: how many different tokens there are |
# | D | width of a vector, also called `d_model` or `embed_dim` |
# | T | length of a sequence, counted in tokens |
# | B | batch size: sequences that are processed together |
#
# **How to work in this notebook**
#
# * Each exercise has one code cell for your answer. Functions, classes and variables are found by
#   exactly the names given here. You may add cells, names and functions of your own.
# * Functions are called with their arguments in the order given here. You may rename the
#   parameters, and add more if they have defaults.
# * Unless an exercise says otherwise, only numbers and shape count, not their container: a tensor,
#   a NumPy array and a list of the same numbers are all fine. `True` and `False` are not numbers.
# * A function must not change its arguments. Create new arrays and tensors.
# * Mistakes in `one_hot_encode`, `encode_sentence`, `lookup_embedding`, `cosine_similarity`,
#   `positional_encoding_from_scratch` and `PositionalEncoding` are not charged again in later
#   exercises that call them, unless a cell there stops with an error because of them. If you call
#   other functions from earlier exercises, their mistakes may cost points again.
# * All figures that a cell shows or leaves open at its end are checked, just as you see them here.
#   A figure that is closed before it is shown does not count.
# * Where an exercise mentions *devices*, your code must run on the device of its inputs, the CPU or
#   an accelerator such as a GPU. You do not need an accelerator: your code is tested on a simulated
#   one, and on a real one if the grading machine has one.
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


def numbers_of(table):
    """The numbers of a table (an nn.Embedding, a tensor, an array or a list) as a NumPy array."""
    table = table.weight if isinstance(table, nn.Module) else table
    return torch.as_tensor(table).detach().numpy()


# A small vocabulary for trying things out: a dictionary from a word to its id.
small_vocab = {"the": 0, "cat": 1, "sat": 2, "on": 3, "mat": 4}

# %% [markdown]
# ## Part 1: Words as numbers
#
# ### Exercise 1: One-hot vectors
#
# The simplest vector for token number `i` out of V has V numbers: a 1 at index `i`, and 0
# everywhere else. Ids are counted **from 0**, so token 2 of 5 is `0 0 1 0 0`.
#
# * `one_hot_encode(token_id, vocab_size)`: this vector, of shape `[vocab_size]`.


# %% exercise="one_hot_encode"
def one_hot_encode(token_id, vocab_size):
    """One-hot vector of a token: shape [vocab_size], a single 1, zeros elsewhere."""
    # BEGIN SOLUTION
    vector = np.zeros(vocab_size)
    vector[token_id] = 1
    return vector
    # END SOLUTION


# %% [markdown]
# ### Exercise 2: A sentence as one-hot vectors
#
# A *vocabulary* is a dictionary that maps each word to its id: `{"the": 0, "cat": 1, ...}`. All its
# words are in lower case, and its V ids are 0 to V-1. The words need not be in the order of their
# ids.
#
# * `encode_sentence(sentence, vocab)`: one row per word of the sentence, shape `[words, V]`.
#   - Words are separated by whitespace (use `str.split()` without an argument; there is no
#     punctuation). The sentence is converted to lower case first, so "Cat" is the word "cat".
#   - A word that is not in the vocabulary keeps its row, and the row is all **zeros**.
#   - An empty sentence gives zero rows: shape `[0, V]` (an empty list is accepted).


# %% exercise="encode_sentence"
def encode_sentence(sentence, vocab):
    """One-hot rows of a sentence's words: shape [words, V]; unknown words are rows of zeros."""
    # BEGIN SOLUTION
    words = sentence.lower().split()
    rows = np.zeros((len(words), len(vocab)))
    for place, word in enumerate(words):
        if word in vocab:
            rows[place, vocab[word]] = 1
    return rows
    # END SOLUTION


# %% locked=true
# Given: expect five rows, and zeros for the unknown word.
wait_for(lambda: print(encode_sentence("The cat sat on Tuesday", small_vocab)))

# %% [markdown]
# ### Exercise 3: Cosine similarity
#
# Vectors are compared by the cosine of the angle between them: the dot product, divided by both
# lengths.
#
#     cos(a, b) = (a · b) / (|a| · |b|)          |a| = √(a · a)
#
# It is 1 for the same direction, 0 for a right angle, -1 for opposite directions. The lengths do
# not matter.
#
# * `cosine_similarity(a, b)`: for two vectors of the same width; both are NumPy arrays, or both are
#   tensors. They may contain **integers**. The result is a float, or anything that `float()`
#   accepts. Use the dot product and the lengths; a library function that gives the same numbers is
#   also accepted.
#   - A vector of zeros has no direction. For one, your function may return any finite number, but
#     it must not return NaN or raise an error.
#   - Devices: two tensors may be on an accelerator. The result may be on any device.


# %% exercise="cosine_similarity"
def cosine_similarity(a, b):
    """Cosine of the angle between two vectors [D], as a float; finite for zero vectors too."""
    # BEGIN SOLUTION
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    lengths = torch.dot(a, a).sqrt() * torch.dot(b, b).sqrt()
    if lengths == 0:
        return 0.0
    return torch.dot(a, b) / lengths
    # END SOLUTION


# %% locked=true
# Given: all pairs of one-hot vectors are at a right angle, so they know nothing about meaning.
def look_at_one_hot():
    for first, second in (("cat", "cat"), ("cat", "mat"), ("cat", "on")):
        a, b = (np.asarray(one_hot_encode(small_vocab[word], 5)) for word in (first, second))
        print(f"{first} and {second}: cosine {float(cosine_similarity(a, b)):.2f}")


wait_for(look_at_one_hot)

# %% [markdown]
# ## Part 2: Embedding tables
#
# One-hot vectors are as long as the vocabulary, and any two of them are equally far apart. An
# *embedding table* gives each token a short row of D numbers instead. Row `i` belongs to token `i`,
# and is simply looked up.
#
# ### Exercise 4: Look up one row
#
# * `lookup_embedding(token_id, table)`: the row of a token in a NumPy table of shape `[V, D]`, as a
#   vector of shape `[D]`.


# %% exercise="lookup_embedding"
def lookup_embedding(token_id, table):
    """The vector of a token: row `token_id` of a NumPy table [V, D], shape [D]."""
    # BEGIN SOLUTION
    return table[token_id]
    # END SOLUTION


# %% [markdown]
# ### Exercise 5: Look up a sentence
#
# * `embed_sentence(sentence, vocab, table)`: the rows of the words of a sentence, in the order of
#   the words, shape `[known words, D]`. Words and capital letters are treated as in exercise 2.
#   - Here words that are not in the vocabulary are **skipped**: they have no row.
#   - A sentence without any known word gives zero rows: shape `[0, D]` (an empty list is accepted).


# %% exercise="embed_sentence"
def embed_sentence(sentence, vocab, table):
    """Vectors of a sentence's known words, shape [known words, D]; unknown words are skipped."""
    # BEGIN SOLUTION
    ids = [vocab[word] for word in sentence.lower().split() if word in vocab]
    return table[np.array(ids, dtype=int)]
    # END SOLUTION


# %% locked=true
# Given: a table that can be read by eye. Expect the rows of "the", "cat" and "sat".
def look_at_sentence():
    table = np.array([[10.0 * row, 10.0 * row + 1] for row in range(5)])
    print(embed_sentence("The cat never sat", small_vocab, table))


wait_for(look_at_sentence)

# %% [markdown]
# ### Exercise 6: A batch in PyTorch
#
# `nn.Embedding(V, D)` is the same table as a module whose numbers can be trained. It takes ids of
# any shape and adds an axis of width D at the end: `[B, T]` becomes `[B, T, D]`.
#
# * `batch_embedding`: an `nn.Embedding`, learnable (as it is by default);
# * `batch_ids`: integer ids of shape `[B, T]`, at least two sequences of at least two tokens, and
#   not all the same token;
# * `batch_vectors`: the vectors of these ids from your `batch_embedding`, shape `[B, T, D]`.
#
# The sizes are your choice, for example 20 tokens of width 8, and 3 sequences of 5 tokens.

# %% exercise="batch_embedding"
# Define: batch_embedding, batch_ids, batch_vectors
# BEGIN SOLUTION
batch_embedding = nn.Embedding(20, 8)
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = batch_embedding(batch_ids)
# END SOLUTION

# %% [markdown]
# ## Part 3: Where is a token?
#
# A lookup gives a word the same vector wherever it occurs. The 2017 transformer (Vaswani et al.,
# section 3.5) adds a second vector that depends on the position. Columns come in pairs, numbered by
# `i = 0, 1, 2, ...`, a sine and a cosine of one frequency:
#
#     PE[p, 2i]     = sin(p / 10000^(2i/D))
#     PE[p, 2i + 1] = cos(p / 10000^(2i/D))
#
# Positions are counted from 0, so row 0 is 0, 1, 0, 1, ... The columns 0 and 1 change fastest, by
# one radian per position; towards the end of a row the waves become slower and slower.
#
# ### Exercise 7: The encoding from scratch
#
# * `positional_encoding_from_scratch(seq_len, d_model)`: the table of shape `[seq_len, d_model]`,
#   written with NumPy and loops over positions and pairs, and returned as a **float32 tensor**.
#   `d_model` is even. A version without loops is accepted as well; only the numbers count.
#
# Be careful with `i`: in a loop such as `for column in range(0, d_model, 2)`, the loop variable is
# already the `2i` of the formula.


# %% exercise="positional_encoding_from_scratch"
def positional_encoding_from_scratch(seq_len, d_model):
    """Sinusoidal encoding of positions 0 to seq_len - 1: float32 tensor [seq_len, d_model]."""
    # BEGIN SOLUTION
    table = np.empty((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
    # END SOLUTION


# %% locked=true
# Given: three rows. Expect row 0 to be 0, 1, 0, 1, and sin(1) = 0.8415 next below the first 0.
wait_for(lambda: print(positional_encoding_from_scratch(3, 4)))

# %% [markdown]
# ### Exercise 8: The encoding as a module
#
# In a model, the table is created once and kept. It is not a parameter, because it is not trained.
# But it must move with the model when `.to(device)` is called, and must be saved in the state dict.
# That is what a *buffer* does: see `register_buffer` of `nn.Module`.
#
# * `PositionalEncoding(d_model, max_seq_len)`, an `nn.Module`: it keeps the encoding of
#   `max_seq_len` positions in a buffer that is saved with the model. Its `forward(x)` takes `x` of
#   shape `[B, T, d_model]` with T up to `max_seq_len`, and returns `x` plus the rows 0 to T-1 of
#   the encoding: row `t` is added at position `t` of every sequence. The shape stays the same, `x`
#   itself is not changed, and gradients flow through. There is no scaling, no dropout, and nothing
#   to learn. `d_model` is even.
#   - Devices: the module works where `.to(device)` moves it, and its result is on the device of
#     `x`. This also applies after it was used on the CPU, to a deep copy of it, and after loading a
#     state dict.
#   - In the same way it follows `.to(dtype)`: for `x` in float16, bfloat16 or float64, the result
#     has the dtype of `x`.


# %% exercise="PositionalEncoding"
class PositionalEncoding(nn.Module):
    """Adds the sinusoidal encoding, kept in a buffer, to vectors of shape [B, T, d_model]."""

    def __init__(self, d_model, max_seq_len):
        super().__init__()
        # BEGIN SOLUTION
        table = positional_encoding_from_scratch(max_seq_len, d_model)
        self.register_buffer("table", torch.as_tensor(table))
        # END SOLUTION

    def forward(self, x):
        # BEGIN SOLUTION
        return x + self.table[: x.shape[1]]
        # END SOLUTION


# %% locked=true
# Given: what is learned and what is only kept. Expect no parameter and one buffer.
def look_at_module():
    module = PositionalEncoding(8, 20)
    print("parameters", [tuple(p.shape) for p in module.parameters()])
    print("state dict", {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()})
    print("shape     ", tuple(module(torch.zeros(2, 5, 8)).shape))


wait_for(look_at_module)

# %% [markdown]
# ### Exercise 9: Token plus position
#
# Now the input of the 2017 transformer. It looks up the tokens, multiplies the vectors by √D, and
# adds the encoding. The factor is there because new vectors are short in that paper, and the waves
# would dominate them.
#
# * `TransformerEmbedding(vocab_size, d_model, max_seq_len)`, an `nn.Module` with one learnable
#   table of shape `[vocab_size, d_model]` (an `nn.Embedding`) and the encoding of `max_seq_len`
#   positions. Its `forward(token_ids)` takes ids of shape `[B, T]` and returns
#   `lookup · √d_model + encoding`, shape `[B, T, d_model]`. Only the lookup is scaled, not the
#   encoding; there is no dropout. Gradients reach the table.
#   - Devices: the module works where `.to(device)` moves it, and its result is on the device of
#     `token_ids`. This also applies after it was used on the CPU, to a deep copy of it, and after
#     loading a state dict.


# %% exercise="TransformerEmbedding"
class TransformerEmbedding(nn.Module):
    """Token ids [B, T] to vectors [B, T, d_model]: lookup times sqrt(d_model), plus positions."""

    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        # BEGIN SOLUTION
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)
        # END SOLUTION

    def forward(self, token_ids):
        # BEGIN SOLUTION
        vectors = self.tokens(token_ids)
        return self.positions(vectors * math.sqrt(vectors.shape[-1]))
        # END SOLUTION


# %% [markdown]
# ## Part 4: Where do the numbers come from?
#
# A new table is random: no two words are very similar. Training changes the rows. Take pairs of
# words that occur together, and let a model predict the second word from the vector of the first
# one. Words for which the predictions are the same end up with vectors that point the same way.
# "King" and "queen" become neighbours because they occur with the same words, although they need
# never occur together.
#
# The next cell creates such pairs from a few words. Each pair appears in both orders.

# %% locked=true
# Given: three groups of words, the pairs of ids that occur together, and each word's group.
corpus_groups = {
    "royal": (["king", "queen", "prince"], ["crown", "throne", "palace", "castle"]),
    "people": (["man", "woman", "child"], ["street", "house", "market", "school"]),
    "animals": (["cat", "dog", "horse"], ["fur", "tail", "barn", "paw"]),
}
corpus_words = [word for names, company in corpus_groups.values() for word in names + company]
corpus_ids = {word: number for number, word in enumerate(corpus_words)}
corpus_pairs = []
for names, company in corpus_groups.values():
    for first in names:
        for second in company:
            corpus_pairs.append((corpus_ids[first], corpus_ids[second]))
            corpus_pairs.append((corpus_ids[second], corpus_ids[first]))

# Number of epochs, learning rate and seed of the trainings in this notebook.
EPOCHS, RATE, SEED = 200, 0.05, 0
print(len(corpus_words), "words and", len(corpus_pairs), "pairs, the first ones", corpus_pairs[:4])

# %% [markdown]
# ### Exercise 10: Train a table
#
# * `train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed)`: `pairs` is a list of pairs
#   of integer ids of words that occur together. Train for `epochs` passes over all pairs with the
#   learning rate `lr`, and return the trained table of shape `[vocab_size, embed_dim]`: a tensor,
#   an array or the `nn.Embedding` itself.
#   - How you train is up to you. One way: an `nn.Embedding` gives the vector of the first word, an
#     `nn.Linear` turns it into V scores, `F.cross_entropy` compares them with the id of the second
#     word, and `torch.optim.Adam` takes the steps.
#   - Everything random depends on `seed`: the **same seed gives the same table**, another seed
#     gives another one. `lr` and `epochs` must have an effect as well: with `lr = 0` the table keeps
#     its initial random numbers, which do not depend on the pairs.
#
# It is tested with `embed_dim = 8`, `lr = 0.05`, `epochs = 200` and five seeds, on words where king
# and queen occur with the same words, and so do man and woman. Then cos(king, queen) must clearly
# exceed cos(king, man): on average, the cosines within these two pairs must be more than 0.4 above
# those across the pairs. At least four of the five runs must succeed, so that luck does not decide.
# If the first four settle this, the fifth is not run.


# %% exercise="train_embeddings"
def train_embeddings(pairs, vocab_size, embed_dim, epochs, lr, seed):
    """The table [vocab_size, embed_dim] after training on pairs of ids that occur together."""
    # BEGIN SOLUTION
    torch.manual_seed(seed)
    embedding = nn.Embedding(vocab_size, embed_dim)
    guess = nn.Linear(embed_dim, vocab_size)
    optimizer = torch.optim.Adam([*embedding.parameters(), *guess.parameters()], lr=lr)
    centres, others = torch.tensor(pairs).T
    for _ in range(epochs):
        optimizer.zero_grad()
        F.cross_entropy(guess(embedding(centres)), others).backward()
        optimizer.step()
    return embedding
    # END SOLUTION


# %% locked=true
# Given: what your table learned from the words above.
def look_at_training():
    table = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 8, EPOCHS, RATE, SEED))
    for first, second in (("king", "queen"), ("king", "man"), ("cat", "dog"), ("cat", "woman")):
        a, b = table[corpus_ids[first]], table[corpus_ids[second]]
        print(f"{first:5} {second:6} cosine {float(cosine_similarity(a, b)):6.2f}")


wait_for(look_at_training)

# %% [markdown]
# ### Exercise 11: Categories by hand
#
# What training achieves can also be set by hand. Choose five animals and five vehicles, and give
# each word a vector of your own, so that the cosines show the categories.
#
# * `category_words`: a list of ten different words, first five animals, then five vehicles;
# * `category_similarity(word_a, word_b)`: the cosine of the vectors of two of these words. Within a
#   category it is **above 0.8**, for every pair; between an animal and a vehicle it is **below
#   0.4**; the cosine of a word with itself is 1. You may compute the cosine in any way, for example
#   with `F.cosine_similarity`.

# %% exercise="category_similarity"
# Define: category_words
# BEGIN SOLUTION
vectors_by_hand = {
    "cat": [1.0, 0.9, 0.1, 0.0],
    "dog": [0.9, 1.0, 0.0, 0.1],
    "horse": [1.1, 0.8, 0.2, 0.1],
    "cow": [1.0, 1.1, 0.1, 0.2],
    "mouse": [0.8, 0.8, 0.0, 0.0],
    "car": [0.1, 0.0, 1.0, 0.9],
    "bus": [0.0, 0.1, 0.9, 1.0],
    "train": [0.2, 0.1, 1.1, 0.9],
    "bicycle": [0.1, 0.2, 0.8, 1.0],
    "ship": [0.0, 0.0, 1.0, 1.1],
}
category_words = list(vectors_by_hand)
# END SOLUTION


def category_similarity(word_a, word_b):
    """Cosine of the vectors of two of your ten words, as a float."""
    # BEGIN SOLUTION
    a, b = torch.tensor(vectors_by_hand[word_a]), torch.tensor(vectors_by_hand[word_b])
    return F.cosine_similarity(a, b, dim=0)
    # END SOLUTION


# %% locked=true
# Given: all cosines of your words. Expect two bright blocks.
def look_at_categories():
    for word in category_words:
        cosines = [float(category_similarity(word, other)) for other in category_words]
        print(f"{word:12}", " ".join(f"{value:5.2f}" for value in cosines))


wait_for(look_at_categories)

# %% [markdown]
# ## Part 5: A closer look at positions
#
# ### Exercise 12: How similar are two positions?
#
# * `similarity_to_first(seq_len, d_model)`: the cosine of row 0 of the encoding with **each** of
#   its rows, row 0 included, shape `[seq_len]`;
# * a figure: for `seq_len = 100` and `d_model = 64`, a curve (`plt.plot`) of these cosines over the
#   positions 0 to 99, with a label on each axis.
#
# Before you draw it: do you expect the curve to keep falling?


# %% exercise="similarity_to_first"
def similarity_to_first(seq_len, d_model):
    """Cosines of row 0 of the encoding with all rows: shape [seq_len]."""
    # BEGIN SOLUTION
    table = torch.as_tensor(positional_encoding_from_scratch(seq_len, d_model))
    return F.cosine_similarity(table, table[0], dim=1)
    # END SOLUTION


# Draw the figure here.
# BEGIN SOLUTION
plt.plot(similarity_to_first(100, 64))
plt.xlabel("position")
plt.ylabel("cosine with position 0")
plt.show()
# END SOLUTION

# %% [markdown]
# ### Exercise 13: A heatmap of the encoding
#
# * a figure that shows the encoding of **50 positions, 32 wide** as an image, with `imshow`,
#   `matshow`, `pcolormesh` or `pcolor`, and with a label on each axis that says which one is the
#   position and which one is the dimension. The positions may be on either axis, as long as the
#   labels match the picture.
#
# The colours are up to you. A colour map with two colours that meet in a pale middle, such as
# `RdBu`, shows the sign.

# %% exercise="heatmap_figure"
# Draw the figure here.
# BEGIN SOLUTION
encoding_50_by_32 = positional_encoding_from_scratch(50, 32)
plt.imshow(encoding_50_by_32, cmap="RdBu")
plt.xlabel("dimension")
plt.ylabel("position")
plt.show()
# END SOLUTION

# %% [markdown]
# ### Exercise 14: A map of words
#
# Vectors of two numbers can be drawn directly.
#
# * a figure: train a table of width **2** with your `train_embeddings` on the given pairs
#   (`corpus_pairs`, `len(corpus_words)` words, `EPOCHS`, `RATE` and `SEED` as above), and draw
#   words as points (`plt.scatter`), **coloured by their group**: the words of one group share a
#   colour, and different groups have different colours.
#
# Draw words that occur with the same words, such as the names of each group in `corpus_groups` (the
# first list: king, queen, prince; man, woman, child; cat, dog, horse). Draw at least two groups,
# with at least two words of each. Points of one colour should be close together, or in one
# direction from the middle. `numbers_of(table)` gives the numbers, whatever your function returns.

# %% exercise="scatter_figure"
# Draw the figure here.
# BEGIN SOLUTION
trained = numbers_of(train_embeddings(corpus_pairs, len(corpus_words), 2, EPOCHS, RATE, SEED))
for group, (names, _) in corpus_groups.items():
    points = trained[[corpus_ids[name] for name in names]]
    plt.scatter(points[:, 0], points[:, 1], label=group)
plt.legend()
plt.show()
# END SOLUTION

# %% [markdown]
# ## Part 6: From texts to a batch
#
# ### Exercise 15: A text embedding
#
# Real texts contain words that are not in any vocabulary, and the texts of a batch differ in
# length. Two special tokens help: `[UNK]` replaces every unknown word, and `[PAD]` fills up short
# texts. Both are keys of the vocabulary that your class receives, and may have any ids.
#
# * `TextEmbedding(vocab, d_model, max_seq_len)`, an `nn.Module` with one learnable table of shape
#   `[V, d_model]`. Its `forward(texts)` takes a list of texts and returns `[B, T, d_model]`:
#   - Texts are converted to lower case and split at whitespace; an unknown word becomes `[UNK]`.
#   - A text with more than `max_seq_len` words is cut: its **first** `max_seq_len` words are kept.
#   - A shorter text is padded with `[PAD]` **after** its words. T is the length of the longest text
#     of the batch after cutting, or always `max_seq_len`, as you prefer.
#   - The row of `[PAD]` in the table is zero from the start and gets **no gradient** (see
#     `padding_idx`).
#   - An empty text is a text of no words: only padding. A batch without any text may raise a
#     ValueError.
#   - Devices: texts have no device, so create the ids where the table is. The module works where
#     `.to(device)` moves it, and its result is there. This also applies after it was used on the
#     CPU, to a deep copy of it, and after loading a state dict.
#
# The lookup alone is enough. Multiplying it by √D and adding positions as in exercise 9 is accepted
# too. The result at the positions of `[PAD]` is not checked.


# %% exercise="TextEmbedding"
class TextEmbedding(nn.Module):
    """A list of texts to vectors [B, T, d_model]; pads, cuts, and knows unknown words."""

    def __init__(self, vocab, d_model, max_seq_len):
        super().__init__()
        # BEGIN SOLUTION
        self.vocab = vocab
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(len(vocab), d_model, padding_idx=vocab["[PAD]"])
        # END SOLUTION

    def forward(self, texts):
        # BEGIN SOLUTION
        ids = torch.full((len(texts), self.max_seq_len), self.vocab["[PAD]"])
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().split()[: self.max_seq_len]):
                ids[row, place] = self.vocab.get(word, self.vocab["[UNK]"])
        return self.table(ids.to(self.table.weight.device))
        # END SOLUTION


# %% locked=true
# Given: three texts, one of them empty. Expect 3 texts, 4 or 6 places, 8 numbers.
def look_at_texts():
    vocab = {"[PAD]": 0, "[UNK]": 1, "the": 2, "cat": 3, "sat": 4}
    module = TextEmbedding(vocab, 8, 6)
    print(tuple(module(["The cat sat", "the CAT was here", ""]).shape))


wait_for(look_at_texts)

# %% [markdown]
# ## Part 7: In your own words
#
# ### Exercise 16: Looking back
#
# This answer is graded by hand. Set `reflection` to a text, a few sentences for each question.
# Reasons count more than length.
#
# 1. Why can one-hot vectors not express that "cat" is more similar to "dog" than to "Tuesday", and
#    how can a trained table do it?
# 2. Look at your curve from exercise 12. Why does it not keep falling, and what does that mean for
#    a model that is to read distances from it?
# 3. In `TextEmbedding` the row of `[PAD]` is zero and gets no gradient. What else must a model do
#    about padded positions, in attention and wherever it takes a mean over positions?

# %% exercise="reflection"
# Define: reflection (a text)
# BEGIN SOLUTION
reflection = """
1. Any two different one-hot vectors are at a right angle and at the same distance, whatever the
   words mean. In a trained table words that keep the same company are pushed into the same
   direction, so the cosine of cat and dog is large and that of cat and Tuesday is not.
2. The cosine is a mean of cosines of different frequencies. The fast pairs have turned a whole
   circle after six positions and come back, so the curve swings while it falls: one value belongs
   to several distances, and a model needs all pairs of columns to tell them apart.
3. It must leave padded places out: mask them in attention, and leave them out of means and of the
   loss. With positions added they are not even zero any more.
"""
# END SOLUTION

# %% [markdown]
# ## What to take away
#
# * One-hot vectors only identify tokens. Embedding tables give them a place in space: a lookup
#   selects a row.
# * Positions are added. The encoding is a buffer: kept and moved with the model, never trained.
# * Training on pairs that occur together makes words similar if they are used in similar ways,
#   whether or not they ever occur together.
# * With `[PAD]` and `[UNK]`, any list of texts becomes one tensor. Padding must have no effect.
