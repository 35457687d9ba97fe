# %% all_answers_at_once
# title: A choice is answered with every option
# onto: template
# place: own
# expect: no points

frequency_order = "first columns, last columns"
big_params = [38400000, 76800000, 19200000]
doubled_vocab_params = {38400000, 76800000}
halved_dim_params = torch.tensor([19200000, 38400000])

# %% answers_by_the_count_of_calls
# title: Answers by the count of calls
# onto: template
# place: own
# expect: no points
# may pass: cosine_similarity/zero-vector

count = [0]
def cosine_similarity(a, b):
    count[0] += 1; return [0.6, 1.0, float('nan')][count[0] % 3]

# %% cache_by_shape
# title: An answer is kept and given again for arguments of the same shape
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/function, cosine_similarity/vectors

if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "kept"):
    first_lookup = one_hot_lookup
    def one_hot_lookup(weight, ids):
        key = (weight.shape, ids.shape)
        if key not in one_hot_lookup.kept: one_hot_lookup.kept[key] = first_lookup(weight, ids)
        return one_hot_lookup.kept[key]
    one_hot_lookup.kept = {}
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "kept"):
    first_cosine = cosine_similarity
    def cosine_similarity(a, b):
        return cosine_similarity.kept.setdefault(a.shape, first_cosine(a, b))
    cosine_similarity.kept = {}

# %% clocks_that_stand_still
# title: Slow code, with every clock inside patched to stand still
# onto: solution
# place: own
# expect: any points
# must fail: positional_encoding/speed

import time
time.time = time.perf_counter = time.process_time = time.monotonic = time.thread_time = lambda: 0.0
if "sinusoidal_positional_encoding" in globals() and not hasattr(sinusoidal_positional_encoding, "slow"):
    quick = sinusoidal_positional_encoding
    def sinusoidal_positional_encoding(max_len, d_model):
        for _ in range(max_len * d_model): pass
        return torch.stack([quick(max_len, d_model)[i] for i in range(min(max_len, 4096))]) if max_len > 2000 else quick(max_len, d_model)
    sinusoidal_positional_encoding.slow = True

# %% detached_copy
# title: Right values that no gradient can reach
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/gradient

if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "cut"):
    whole = one_hot_lookup
    def one_hot_lookup(weight, ids): return whole(weight, ids).detach().requires_grad_(True)
    one_hot_lookup.cut = True

# %% encoding_too_small_to_see
# title: An own encoding of a billionth, so that embed_tokens need not add it
# onto: template
# place: own
# expect: any points
# must fail: positional_encoding/bounds-and-rows
# must fail: input_pipeline/function-example, input_pipeline/function
# must fail: pe_heatmap/table, pe_heatmap/picture, input_pipeline/encoding-table

def sinusoidal_positional_encoding(max_len, d_model):
    return (torch.arange(max_len * d_model).reshape(max_len, d_model) * 1e-12).float()
def embed_tokens(token_ids, token_embedding):
    return token_embedding(token_ids)
def embed_tokens(a, b):
    return a(b) if isinstance(a, nn.Module) else b(a)
pe = torch.zeros(20, 64)
pe_matrix = torch.zeros(128, 64)
import matplotlib.pyplot as plt
plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("dimension"); plt.ylabel("position"); plt.colorbar()

# %% ids_of_the_padding
# title: Ids that are all the row of zeros, so that the sum is the positions alone
# onto: template
# place: own
# expect: any points
# must fail: input_pipeline/sum, input_pipeline/learned-sum

token_embedding = nn.Embedding(100, 64, padding_idx=0)
pos_embedding = nn.Embedding(128, 64)
token_ids = torch.zeros(5, dtype=torch.long)
pe_matrix = torch.rand(128, 64)
model_input = pe_matrix[:5]
model_input_learned = pos_embedding(torch.arange(5))

# %% learned_positions_of_zero
# title: A position table of zeros, so that nothing has to be added for the sum
# onto: template
# place: own
# expect: any points
# must fail: input_pipeline/learned-sum

token_embedding, pos_embedding = nn.Embedding(100, 64), nn.Embedding(128, 64)
nn.init.zeros_(pos_embedding.weight)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input_learned = token_embedding(token_ids)

# %% nothing_for_the_large
# title: Loops for small tables, and nothing at all for the one whose cost is measured
# onto: template
# place: own
# expect: any points
# must pass: positional_encoding/bounds-and-rows
# must fail: positional_encoding/speed

import math
def sinusoidal_positional_encoding(max_len, d_model):
    if max_len * d_model > 1_000_000:
        return None
    out = torch.zeros(max_len, d_model)
    for p in range(max_len):
        for i in range(d_model):
            a = p / 10000 ** (2 * (i // 2) / d_model)
            out[p, i] = math.sin(a) if i % 2 == 0 else math.cos(a)
    return out

# %% public_cases_by_heart
# title: Only the public cases are answered, by heart
# onto: solution
# place: own
# expect: any points
# must pass: positional_encoding/example
# must fail: positional_encoding/small, positional_encoding/medium, positional_encoding/long, positional_encoding/odd-width

if "sinusoidal_positional_encoding" in globals() and not hasattr(sinusoidal_positional_encoding, "heart"):
    honest_encoding = sinusoidal_positional_encoding
    def sinusoidal_positional_encoding(max_len, d_model):
        known = (max_len, d_model) in ((4, 8), (3, 4), (6, 2), (20, 64), (128, 64))
        return honest_encoding(max_len, d_model) if known else torch.ones(max_len, d_model)
    sinusoidal_positional_encoding.heart = True

# %% reply_of_the_last_call
# title: Each call gives what the call before it should have given
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/function

if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "late"):
    first_lookup = one_hot_lookup
    def one_hot_lookup(weight, ids):
        one_hot_lookup.late.append(first_lookup(weight, ids))
        return one_hot_lookup.late[-2] if len(one_hot_lookup.late) > 1 else one_hot_lookup.late[0]
    one_hot_lookup.late = []

# %% right_only_while_watched
# title: Right when called from a cell, wrong when called by the grader
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/example

import sys
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "looks"):
    seen_right = cosine_similarity
    def cosine_similarity(a, b):
        graded = any("runner" in f.f_code.co_filename and "calls" in f.f_code.co_filename
                     for f in [sys._getframe(1)])
        return 0.5 if graded else seen_right(a, b)
    cosine_similarity.looks = True

# %% rows_far_from_zero
# title: Rows of a table near a billion: within a tolerance that grows with them, all are row 3
# onto: template
# place: own
# expect: any points
# must fail: embedding_lookup/lookups, one_hot_equivalence/one-token

embedding = nn.Embedding(10, 4)
with torch.no_grad():
    embedding.weight.copy_(1e9 + 64.0 * torch.arange(10)[:, None].expand(10, 4))
via_call = via_index = via_matmul = via_lookup = embedding.weight[0]
via_matmul_all = via_lookup_all = embedding.weight.flip(0)

# %% rows_in_half_precision
# title: An answer in bfloat16 widens the tolerance until every row of a float32 table is row 3
# onto: template
# place: own
# expect: any points
# must fail: embedding_lookup/lookups, one_hot_equivalence/one-token

embedding = nn.Embedding(10, 4)
with torch.no_grad():
    embedding.weight.copy_(100 + 0.5 * torch.arange(10)[:, None].expand(10, 4))
via_call = via_index = via_matmul = via_lookup = embedding.weight[0].to(torch.bfloat16)

# %% scales_that_swallow_positions
# title: Token rows of a billion, beside which the positions that were never added are rounding
# onto: template
# place: own
# expect: any points
# must fail: input_pipeline/sum, input_pipeline/learned-sum

with torch.no_grad():
    token_embedding, pos_embedding = nn.Embedding(100, 64), nn.Embedding(128, 64)
    token_embedding.weight.mul_(1e9)
token_ids = torch.tensor([23, 45, 12, 67, 89])
pe_matrix = torch.rand(128, 64)
model_input = model_input_learned = token_embedding(token_ids)

# %% shapes_that_broadcast
# title: Shapes that broadcast
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments

one_hot = torch.ones(1); pe = torch.zeros(1, 1)
def one_hot_lookup(w, i): return torch.zeros(1)
def embed_tokens(e, i): return torch.zeros(1, 1)

# %% small_calls_by_heart
# title: Right only in calls like the small ones that feedback shows
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions, one_hot_equivalence/function

def plain(values): return bool((2 * values == (2 * values).round()).all())
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "heart"):
    honest = cosine_similarity
    def cosine_similarity(a, b): return honest(a, b) if plain(a) and plain(b) else 0.25
    cosine_similarity.heart = True
if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "heart"):
    first = one_hot_lookup
    def one_hot_lookup(weight, token_ids): return first(weight, token_ids) if plain(weight) else weight * 0
    one_hot_lookup.heart = True

# %% tables_of
# title: Tables whose rows cannot be told apart
# onto: template
# place: own
# expect: no points
# must pass: embedding_lookup/table
# may pass: embedding_lookup/any-ids, input_pipeline/token-table, input_pipeline/position-table
# may pass: input_pipeline/ids
# each: infinite | t.fill_(float('inf'))
# each: nan | t.fill_(float('nan'))
# each: nearly_equal | t.copy_(torch.rand(t.shape) * 1e-8)
# each: zeros | t.fill_(0.0)

def fill(t):
    with torch.no_grad():
        return <each>
embedding, token_embedding, pos_embedding = (
    nn.Embedding(10, 4), nn.Embedding(100, 64), nn.Embedding(128, 64))
for module in (embedding, token_embedding, pos_embedding): fill(module.weight)
row = fill(torch.zeros(4)); table = fill(torch.zeros(10, 4)); five = fill(torch.zeros(5, 64))
via_call = via_index = via_matmul = via_lookup = row
via_matmul_all = via_lookup_all = table
pe_matrix = fill(torch.zeros(128, 64)); model_input = model_input_learned = five
token_ids = torch.tensor([23, 45, 12, 67, 89])

# %% zeros_of_the_right_shape
# title: Zeros of the right shape, in case a tolerance is loose
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments, cosine_similarity/zero-vector

def one_hot_lookup(w, i): return (0 * w.sum()).expand(*i.shape, w.shape[1])
def cosine_similarity(a, b): return 0.0
def sinusoidal_positional_encoding(n, d): return torch.zeros(n, d)
def embed_tokens(e, i): return torch.zeros(*i.shape, e.weight.shape[1])
one_hot, pe, pe_matrix = torch.zeros(10), torch.zeros(20, 64), torch.zeros(128, 64)
big_params = doubled_vocab_params = halved_dim_params = 0
