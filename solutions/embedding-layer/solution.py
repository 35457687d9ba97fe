# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The embedding layer of GPT-2
#
# Two tables and one addition come between a text and the first layer of GPT-2:
#
# 1. the **token table** says *what* each token is,
# 2. the **position table** says *where* it is,
# 3. the sum of one row from each goes into the model.
#
# Both tables are learned. In this notebook you build them as PyTorch modules that can be trained,
# find out from a finished table which words are similar, and write three small functions that
# connect such a layer to real data.
#
# **Letters used throughout**
#
# | letter | meaning | in GPT-2 (small) |
# | --- | --- | --- |
# | V | vocabulary size, `vocab_size` | 50257 |
# | D | width of a vector, `embed_dim` | 768 |
# | T | length of a sequence, in tokens | at most 1024 |
# | B | batch size: sequences that are processed together | |
#
# So GPT-2's token table has 50257 x 768 = 38,597,376 parameters, and its position table
# 1024 x 768 = 786,432.
#
# **How to work in this notebook**
#
# * Each exercise has one code cell for your answer. Its functions, classes and variables are found
#   by exactly the names that the exercise gives. You may add cells, names, methods and functions.
# * Functions and classes are called with their arguments in the order given here. You may rename
#   the parameters, and add more if they have defaults.
# * Unless an exercise says otherwise, only numbers and shape count, not their container: a tensor,
#   a NumPy array and a list of the same numbers are all fine.
# * Functions and modules do not change their arguments: tables, ids, tokenizers. A model is moved
#   to a device only where the text says so.
# * The tables of your modules are found **by their shape**, so you may give their attributes any
#   names. To compare your module with the solution's, its table is overwritten with known numbers;
#   therefore a table must be a parameter of the module, and `forward` must use that parameter.
# * Every exercise is tested by itself. In exercises 6 to 10, your functions receive tables,
#   tokenizers and models as arguments, so a mistake in your classes costs nothing there.
# * Cells marked "given" are for you to run and look at. If they need something that you have not
#   written yet, they say so.

# %% locked=true
# Given: run this cell first.
import json
import math

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
# ## Part 1: The token table
#
# ### Exercise 1: A lookup by hand
#
# An embedding is a table of V rows and D columns, and the token with the number `i`, its *id*, gets
# row `i`. Ids and rows are counted from 0. Before you use PyTorch's module for this, write the
# lookup yourself.
#
# * `manual_lookup(matrix, token_ids)`: `matrix` is a float32 tensor of shape `[V, D]`, `token_ids`
#   a `torch.int64` tensor of any shape `[...]` with one axis or more, which contains at least one
#   id. It may be transposed, and so not contiguous in memory, and need not contain the largest id.
#   The result has the shape `[..., D]`: exactly one axis more than the ids, **also if an axis has
#   length 1**. It is a float32 tensor.
#
# Gradients must be able to flow from the result back into `matrix`. Whether you index, multiply by
# one-hot vectors or go through the ids in a loop is up to you: only values and gradients count.
#
# The function works on the device of its inputs, the CPU or an accelerator such as a GPU, and its
# result stays there; `matrix` and `token_ids` are on the same one. A tensor that you create is on
# the CPU unless you say otherwise: `torch.zeros(5)` is, `torch.zeros(5, device=matrix.device)` is
# on the device of `matrix`. This is tested on a simulated accelerator, and on a real one if the
# grading machine has one.

# %% exercise="manual_lookup"
def manual_lookup(matrix, token_ids):
    """Rows of `matrix` [V, D] for ids of shape [...]: shape [..., D]."""
    # BEGIN SOLUTION
    return matrix[token_ids]
    # END SOLUTION


# %% locked=true
# Given: row r of this table holds 10r, 10r + 1, 10r + 2, 10r + 3. Expect [2, 3, 4] for the batch.
def look_at_manual_lookup():
    table = torch.tensor([[10.0 * row + column for column in range(4)] for row in range(5)])
    print(manual_lookup(table, torch.tensor([4, 0])))
    batch = torch.tensor([[0, 1, 2], [2, 2, 4]])
    print("batch", list(batch.shape), "->", list(manual_lookup(table, batch).shape))


wait_for(look_at_manual_lookup)

# %% [markdown]
# ### Exercise 2: The token table as a module
#
# In a model the table is a *parameter*: part of a module, and changed by training. GPT-2
# initializes its tables with small random numbers, drawn from a normal distribution of mean 0 and
# standard deviation 0.02, in short N(0, 0.02²). PyTorch's own `nn.Embedding` starts with N(0, 1),
# with fifty times this standard deviation.
#
# A wrong id should be noticed where it enters the model, with a helpful message. By itself, PyTorch
# says `index out of range in self` on the CPU. On an accelerator the whole program may stop, with
# an unrelated message.
#
# Write the class `TokenEmbedding(vocab_size, embed_dim)`:
#
# * it has one learnable table of `vocab_size` rows and `embed_dim` columns (`[D, V]` is accepted
#   too), and **all** of its numbers are drawn from N(0, 0.02²). Mean, spread and shape of the
#   distribution are checked: uniform numbers with the same spread are not normally distributed;
# * `forward(token_ids)` takes integer ids of any shape `[...]` with one axis or more and at least
#   one id, also transposed ones, and returns the rows: float32, shape `[..., D]`, also if an axis
#   has length 1. Nothing is scaled or added. Ids of the types `torch.int32` and `torch.int64` both
#   work; other integer types are not tested;
# * ids that are not integers (`torch.float32`, `torch.float16`, even if a value is 3.0) raise
#   `ValueError`;
# * an id below 0, or of `vocab_size` or more, raises `ValueError`, even if all other ids are valid;
# * gradients reach the rows that were looked up;
# * the module works on every device, tested as in exercise 1: moved there by `.to(device)`, also
#   after it was used, as a deep copy or loaded from a state dict, it takes ids on that device, and
#   its result stays there. `.to(device)` moves only parameters, buffers and submodules.

# %% exercise="TokenEmbedding"
class TokenEmbedding(nn.Module):
    """A learned table of token vectors: ids [...] give [..., embed_dim]."""

    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        # BEGIN SOLUTION
        self.table = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.table.weight, std=0.02)
        # END SOLUTION

    def forward(self, token_ids):
        # BEGIN SOLUTION
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError(f"token ids must be integers, not {token_ids.dtype}")
        vocab_size = self.table.num_embeddings
        if ((token_ids < 0) | (token_ids >= vocab_size)).any():
            raise ValueError(f"token ids must be at least 0 and below {vocab_size}")
        return self.table(token_ids)
        # END SOLUTION


# %% locked=true
# Given: spread and shape, and the messages for wrong ids.
def look_at_token_embedding():
    layer = TokenEmbedding(1000, 64)
    for parameter in layer.parameters():
        numbers = parameter.detach()
        print("table", list(numbers.shape), "mean", f"{numbers.mean():.5f}", "std", f"{numbers.std():.5f}")
    print("batch [2, 3] ->", list(layer(torch.tensor([[1, 2, 3], [4, 5, 999]])).shape))
    for wrong in (torch.tensor([1000]), torch.tensor([-1]), torch.tensor([1.0])):
        try:
            layer(wrong)
            print(wrong, "was accepted")
        except ValueError as reason:
            print(wrong, "was refused:", reason)


wait_for(look_at_token_embedding)

# %% [markdown]
# ## Part 2: The position table
#
# ### Exercise 3: One row per position
#
# The second table does not depend on the tokens. Its row 0 belongs to the first position of *every*
# sequence, its row 1 to the second position, and so on. So whether a sequence begins with "king" or
# with "Tuesday", the same row 0 is added at its first position.
#
# * `position_table`: an `nn.Embedding` with 16 rows (positions) and 8 columns. Its initial numbers
#   do not matter in this exercise;
# * `position_row_0`: the vector that this table adds to the first token of any sequence, shape `[8]`
#   or `[1, 8]`.

# %% exercise="position_lookup"
# Define: position_table, position_row_0
# BEGIN SOLUTION
position_table = nn.Embedding(16, 8)
position_row_0 = position_table(torch.tensor(0))
# END SOLUTION

# %% [markdown]
# ### Exercise 4: The position table as a module
#
# Write the class `PositionalEmbedding(max_seq_len, embed_dim)`:
#
# * it has one learnable table of `max_seq_len` rows and `embed_dim` columns (a leading axis of
#   length 1 is accepted too), with all numbers drawn from N(0, 0.02²) as in exercise 2;
# * `forward(token_ids)` takes ids of shape `[B, T]` and returns rows 0 to T-1 of the table, in this
#   order, in float32. It uses only the **shape** and the device of the ids: their values do not
#   matter, and may be larger than `max_seq_len`. The result may have any shape that broadcasts to
#   `[B, T, D]`: `[T, D]`, `[1, T, D]` or `[B, T, D]`;
# * a sequence of exactly `max_seq_len` tokens works. If T is larger, it raises `ValueError`: a
#   learned table has nothing after its last row;
# * it works on every device, moved and tested as in exercise 2. If it creates position ids, for
#   example, it creates them on the device of `token_ids`.

# %% exercise="PositionalEmbedding"
class PositionalEmbedding(nn.Module):
    """A learned table of positions: ids [B, T] give rows 0 to T-1, [T, embed_dim] or broadcast."""

    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        # BEGIN SOLUTION
        self.table = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.table.weight, std=0.02)
        # END SOLUTION

    def forward(self, token_ids):
        # BEGIN SOLUTION
        length, limit = token_ids.shape[-1], self.table.num_embeddings
        if length > limit:
            raise ValueError(f"a sequence of {length} tokens, but only {limit} positions")
        positions = torch.arange(length, device=token_ids.device)
        return self.table(positions)
        # END SOLUTION


# %% locked=true
# Given: the ids do not matter, the length does.
def look_at_positional_embedding():
    layer = PositionalEmbedding(6, 4)
    first, second = torch.tensor([[9, 9, 9]]), torch.tensor([[1, 70, 400]])
    print("same rows for other tokens:", torch.equal(layer(first), layer(second)))
    try:
        layer(torch.zeros(1, 7, dtype=torch.int64))
        print("7 tokens were accepted, though there are 6 positions")
    except ValueError as reason:
        print("7 tokens were refused:", reason)


wait_for(look_at_positional_embedding)

# %% [markdown]
# ### Exercise 5: Both together
#
# GPT-2 keeps both tables in one module; in its weights they are called `wte` and `wpe`, for *weights
# of token embeddings* and *of position embeddings*. What goes into the first layer is the sum:
#
#     x[b, t]  =  wte[token_ids[b, t]]  +  wpe[t]
#
# The vectors are added as they are. The first transformer (2017) multiplied the token vectors by
# √D; that is not done here. Nothing is appended: the width stays D.
#
# Write the class `GPT2Embeddings(vocab_size, max_seq_len, embed_dim)`. Note the order of the three.
#
# * It has a token table of shape `[V, D]` and a position table of shape `[max_seq_len, D]` (or in
#   the other forms that exercises 2 and 4 accept), both learnable and drawn from N(0, 0.02²). You
#   may use your classes from above or write new code. Their mistakes are not charged again: if you
#   use them as `TokenEmbedding(V, D)(token_ids)` and
#   `PositionalEmbedding(max_seq_len, D)(token_ids)`, your class is also tested with other classes
#   in their place.
# * `forward(token_ids)` takes integer ids of shape `[B, T]` with T up to `max_seq_len` and returns
#   a float32 tensor of shape `[B, T, D]`: here `[T, D]` and `[1, T, D]` are **not** accepted for a
#   larger batch. There is no dropout and no normalisation, and nothing is changed in place.
#   Gradients reach both tables.
# * The module works on every device, moved and tested as in exercise 2.
#
# To put sequences of different lengths into one batch, the shorter ones are filled up with some id,
# the *padding*. This module treats it like any other id: sequences of 5 and of 8 tokens, padded to
# 8, give `[2, 8, D]`.

# %% exercise="GPT2Embeddings"
class GPT2Embeddings(nn.Module):
    """Token rows plus position rows: ids [B, T] give [B, T, embed_dim]."""

    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        # BEGIN SOLUTION
        self.wte = TokenEmbedding(vocab_size, embed_dim)
        self.wpe = PositionalEmbedding(max_seq_len, embed_dim)
        # END SOLUTION

    def forward(self, token_ids):
        # BEGIN SOLUTION
        return self.wte(token_ids) + self.wpe(token_ids)
        # END SOLUTION


# %% locked=true
# Given: sequences of 5 and 8 tokens, padded with id 0 to 8. Expect [2, 8, 12].
def look_at_gpt2_embeddings():
    sequences = [[5, 17, 3, 9, 2], [4, 4, 8, 1, 30, 22, 6, 7]]
    longest = max(len(sequence) for sequence in sequences)
    padded = [sequence + [0] * (longest - len(sequence)) for sequence in sequences]
    layer = GPT2Embeddings(50, 16, 12)
    print("result", list(layer(torch.tensor(padded)).shape))
    print("parameters", sum(p.numel() for p in layer.parameters()), "expected", 50 * 12 + 16 * 12)


wait_for(look_at_gpt2_embeddings)

# %% [markdown]
# ## Part 3: What a table knows
#
# In a trained table, tokens that are used in similar ways have rows that point in similar
# directions. The similarity of two rows is measured by the cosine of the angle between them:
#
#     cos(x, y) = (x · y) / (|x| · |y|)          |x| = √(x · x)
#
# It does not depend on the length of a row, which matters because rare tokens often have long rows.
#
# Both functions in this part take a table and a tokenizer as arguments:
#
# * `embeddings`: a float32 tensor of shape `[V, D]` that requires no gradient and contains no row
#   of zeros;
# * `tokenizer`: `tokenizer.encode(word)` is a list with the one id of this word, and
#   `tokenizer.decode([id])` is the word of an id. Every word that is passed is a single token.
#
# The next cell gives you a small tokenizer and a table made by hand for trying things out. Your
# functions will be called with other ones.

# %% locked=true
# Given: ten words and a table whose columns mean: royal, male, female, animal, fruit.
class WordTokenizer:
    """Each word of a list is one token; its id is its place in the list."""

    def __init__(self, words):
        self.words = list(words)

    def encode(self, word):
        return [self.words.index(word)]

    def decode(self, ids):
        return " ".join(self.words[i] for i in ids)


small_tokenizer = WordTokenizer(
    ["king", "queen", "man", "woman", "prince", "dog", "cat", "apple", "pear", "throne"]
)
small_table = torch.tensor(
    [
        [2.0, 1.0, 0.0, 0.1, 0.0],  # king
        [1.9, 0.0, 1.1, 0.0, 0.1],  # queen
        [0.1, 1.2, 0.1, 0.2, 0.0],  # man
        [0.0, 0.1, 1.2, 0.1, 0.0],  # woman
        [0.9, 0.6, 0.0, 0.0, 0.1],  # prince
        [0.0, 0.4, 0.1, 1.5, 0.0],  # dog
        [0.1, 0.1, 0.5, 1.4, 0.0],  # cat
        [0.0, 0.0, 0.1, 0.0, 1.3],  # apple
        [0.0, 0.1, 0.0, 0.1, 1.1],  # pear
        [4.0, 0.3, 0.2, 0.0, 0.0],  # throne: a long row
    ]
)

# %% [markdown]
# ### Exercise 6: Similar tokens
#
# * `find_similar_tokens(word, embeddings, tokenizer, top_k)`: the `top_k` tokens whose rows have the
#   largest cosine with the row of `word`, best first, as a list of pairs `(token, score)`. The score
#   is the cosine. Pairs `(score, token)` and a dictionary from token to score, in the same order, are
#   accepted too.
#
# The word itself is left out, and it is left out **by its id**: another token may have exactly the
# same row, so the first result need not be the word. The table is not changed. `top_k` is smaller
# than V. Tokens with equal scores may come in any order.

# %% exercise="find_similar_tokens"
def find_similar_tokens(word, embeddings, tokenizer, top_k):
    """The `top_k` tokens most similar to `word`: a list of (token, cosine), best first."""
    # BEGIN SOLUTION
    query = tokenizer.encode(word)[0]
    directions = F.normalize(embeddings)  # every row at length 1
    cosines = directions @ directions[query]
    cosines[query] = -math.inf
    scores, ids = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), score) for i, score in zip(ids.tolist(), scores.tolist())]
    # END SOLUTION


# %% locked=true
# Given: the neighbours of "king".
def look_at_similar_tokens():
    for entry in find_similar_tokens("king", small_table, small_tokenizer, 3):
        print(entry)


wait_for(look_at_similar_tokens)

# %% [markdown]
# ### Exercise 7: Analogies
#
# "man is to king as woman is to ...?" With vectors: go from *man* to *king*, and take the same step
# from *woman*. So for a = "king", b = "man", c = "woman" the target is
#
#     row(a) - row(b) + row(c)
#
# and the answer is the token whose row has the largest cosine with the target.
#
# * `word_analogy(a, b, c, embeddings, tokenizer, top_k=5)`: the `top_k` best answers with their
#   cosines, best first, in the form of exercise 6. If `top_k` is not given, it is 5.
#
# The three input words are left out, again by their ids: without this rule the best answer would
# nearly always be one of them. `top_k` is never larger than V - 3. Some people scale all rows to
# length 1 before they add and subtract; others, as above, use them as they are. Both are right
# here, as long as you do not mix them. The score is a cosine either way.

# %% exercise="word_analogy"
def word_analogy(a, b, c, embeddings, tokenizer, top_k=5):
    """The `top_k` tokens nearest to a - b + c: a list of (token, cosine), best first."""
    # BEGIN SOLUTION
    inputs = [tokenizer.encode(word)[0] for word in (a, b, c)]
    row_a, row_b, row_c = embeddings[inputs]
    target = F.normalize(row_a - row_b + row_c, dim=0)
    cosines = F.normalize(embeddings) @ target
    cosines[inputs] = -math.inf
    scores, ids = torch.topk(cosines, top_k)
    return [(tokenizer.decode([i]), score) for i, score in zip(ids.tolist(), scores.tolist())]
    # END SOLUTION


# %% locked=true
# Given: man is to king as woman is to ...
def look_at_analogy():
    for entry in word_analogy("king", "man", "woman", small_table, small_tokenizer, 3):
        print(entry)


wait_for(look_at_analogy)

# %% [markdown]
# ## Part 4: From data to the layer
#
# The last three functions take a `model`: any module that takes integer ids of shape `[B, T]` and
# returns vectors of shape `[B, T, D]`, as your `GPT2Embeddings` does. In all three
#
# * the result is what the model returns, in the model's dtype: nothing is converted, rounded or
#   scaled;
# * gradients can flow from the result back to the model: no `torch.no_grad`, no `detach`;
# * `token_ids` is not changed in place.
#
# ### Exercise 8: On the right device
#
# A module and its input must be on the same device. `model.to(device)` moves a module and returns
# it. `.to(device)` also works for a tensor, but then the result is a **new** tensor and the old one
# stays where it was.
#
# * `embed_on_device(model, token_ids, device)`: moves the model and the ids to `device` and returns
#   the model's result for them, which stays there. `device` is anything that `.to` accepts, such as
#   `"cpu"`, `"cuda"` or `torch.device("cpu")`. The function works wherever the model and the ids
#   were before. It is tested as in exercise 1: with both on the CPU, with one of them already on
#   the accelerator, and from there to the CPU.

# %% exercise="embed_on_device"
def embed_on_device(model, token_ids, device):
    """The model's vectors for `token_ids`, computed on `device`."""
    # BEGIN SOLUTION
    return model.to(device)(token_ids.to(device))
    # END SOLUTION


# %% locked=true
# Given: a table as the model. On a machine with an accelerator, try "cuda" or "mps" as well.
def look_at_device():
    result = embed_on_device(nn.Embedding(30, 8), torch.tensor([[1, 2, 3], [4, 5, 6]]), "cpu")
    print(list(result.shape), "on", result.device)


wait_for(look_at_device)

# %% [markdown]
# ### Exercise 9: Too long
#
# A learned position table ends at its last row, and the class of exercise 4 refuses longer
# sequences. Sometimes it is better to continue with the part that fits.
#
# * `embed_truncated(model, token_ids)`: `model.max_seq_len` is the largest T that the model
#   accepts. Of ids of shape `[B, T]`, keep the **first** `model.max_seq_len` tokens of each
#   sequence and return the model's result for these. Sequences that are short enough are not cut.
#   The function never raises an error because of a length, and it adds no padding. It works on the
#   device of its inputs, tested as in exercise 1: model and ids are on one device, and the result
#   stays there.

# %% exercise="embed_truncated"
def embed_truncated(model, token_ids):
    """The model's vectors for the first `model.max_seq_len` tokens of each sequence."""
    # BEGIN SOLUTION
    return model(token_ids[:, : model.max_seq_len])
    # END SOLUTION


# %% locked=true
# Given: a model with a limit of 4. Expect [2, 4, 8] and [2, 3, 8].
def look_at_truncation():
    model = nn.Embedding(30, 8)
    model.max_seq_len = 4
    for length in (9, 3):
        ids = torch.arange(2 * length).reshape(2, length)
        print(list(ids.shape), "->", list(embed_truncated(model, ids).shape))


wait_for(look_at_truncation)

# %% [markdown]
# ### Exercise 10: One line of a data file
#
# Data for language models is often stored in *JSON Lines* files: every line is a JSON object of its
# own. Ours look like this, and may contain more keys:
#
#     {"id": 17, "token_ids": [5, 17, 3]}
#
# * `embed_jsonl_record(line, model)`: `line` is a string, with or without a line break at its end.
#   The result is the model's result for this one sequence, as a batch of one: shape `[1, T, D]`.
#   The model may be on any device, tested as in exercise 1. A tensor that you create from a text is
#   on the CPU by default: create the ids where the parameters of the model are, and leave the
#   result there.
#
# In a file of a million lines, some are broken. Such a line must raise `ValueError`, and never
# anything else. Say in the message what is wrong with the line; the message itself is not checked:
#
# * the line is not JSON. (`json.loads` then raises `json.JSONDecodeError`, which *is* a `ValueError`.)
# * it is JSON but not an object, for example `[5, 17, 3]`, `5` or `null`;
# * the object has no key `token_ids`;
# * `token_ids` is not a list but a number, a string or `null`;
# * the list contains anything but whole numbers: `1.5`, `"3"`, `null`, or another list (`3.0` and
#   `true` are not tested);
# * the list is empty.
#
# Lines with ids that the model does not have, and lines that are too long for it, are left to the
# model and not tested here.

# %% exercise="embed_jsonl_record"
def embed_jsonl_record(line, model):
    """The model's vectors [1, T, D] for the `token_ids` of one JSON line; ValueError if broken."""
    # BEGIN SOLUTION
    record = json.loads(line)
    if not isinstance(record, dict) or "token_ids" not in record:
        raise ValueError("a line must be a JSON object with the key 'token_ids'")
    ids = record["token_ids"]
    if not isinstance(ids, list) or not ids:
        raise ValueError("'token_ids' must be a list with at least one id")
    if not all(isinstance(i, int) for i in ids):
        raise ValueError("'token_ids' must hold whole numbers only")
    device = next(model.parameters()).device
    return model(torch.tensor([ids], device=device))
    # END SOLUTION


# %% locked=true
# Given: a good line and some broken ones.
def look_at_records():
    model = nn.Embedding(30, 8)
    print(list(embed_jsonl_record('{"id": 17, "token_ids": [5, 17, 3]}\n', model).shape))
    for line in ("{", "[5, 17, 3]", '{"id": 17}', '{"token_ids": []}', '{"token_ids": [1.5]}'):
        try:
            embed_jsonl_record(line, model)
            print(line, "was accepted")
        except ValueError as reason:
            print(line, "was refused:", reason)


wait_for(look_at_records)

# %% [markdown]
# ## Part 5: In your own words
#
# ### Exercise 11: Looking back
#
# This answer is graded by hand. Set `reflection` to a text that answers three questions, with
# reasons. A few sentences for each are enough.
#
# 1. GPT-2 (small) has 124 million parameters. What share of them is in the token table, and what
#    share in the position table? What happens to both tables when the maximum sequence length is
#    doubled?
# 2. A model with a learned position table of 1024 rows gets 1025 tokens. What happens in your
#    `GPT2Embeddings`? What would you do about it, and what would be different with sinusoidal
#    encodings?
# 3. In the batch of exercise 5, the shorter sequence was padded with three ids. What vectors does
#    your module return for these positions, are they zero, and which part of a model must make sure
#    that they do no harm?

# %% exercise="reflection"
# Define: reflection (a text)
# BEGIN SOLUTION
reflection = """
1. The token table has 50257 x 768 = 38,597,376 parameters, about 31 % of 124 million; the position
   table has 1024 x 768 = 786,432, about 0.6 %. Twice the length doubles the position table to
   1,572,864. The token table knows nothing of lengths and stays as it is.
2. There is no row 1024, so the lookup raises an error (an IndexError, unless the length is checked
   first). One can cut the input to 1024 tokens, go through it in windows, or enlarge the table and
   train the new rows; untrained rows would only be noise. A sinusoidal encoding is a formula and has
   a row for every position, though the model has never met the late ones.
3. Each padded place gets the row of the padding id plus the row of its position. That is a vector
   like any other and not zero. The layers behind must leave these places out: attention by a mask,
   and the loss by ignoring their targets.
"""
# END SOLUTION

# %% [markdown]
# ## What to take away
#
# * A GPT-2 embedding layer is two tables and one addition. It has no other parameters.
# * Both tables start with small numbers from N(0, 0.02²), and gradients change them from there.
# * A learned position table ends at its last row: refuse longer sequences, or cut them.
# * The direction of a row carries its meaning. Compare rows by their cosine, and leave the query
#   out by its id.
# * Report what is wrong with an input where it comes in, not ten calls later.
# * Create tensors where the inputs are, and the same code runs on every device.
