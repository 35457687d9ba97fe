"""Relations of `embeddings-and-position`: what must hold between a student's own values.

Each relation looks at one run's evidence and yields what is wrong, as sentences that say
which row to look at and why. A student's table is random, so most answers are judged
against the student's own table; and an earlier mistake is taken as given, not charged again.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import torch

from autograder.judging.checks.arrays import Bounds, default_bounds
from autograder.judging.checks.relation import CallView, RelationView, Wrong
from autograder.judging.verdict import Mismatch
from autograder.wire.tensors import to_tensor
from autograder.wire.values import Module

Found = Iterator[str | Mismatch]

TOKEN = 3  # the id that the first exercises look up
PIPELINE_IDS = (23, 45, 12, 67, 89)
NAMES = ("first animal", "second animal", "third animal", "fourth word", "fifth word")
ANIMALS_ABOVE, OTHERS_BELOW = 0.9, 0.5
BOUND = 1.0 + 1e-6  # room for one rounding of a sine
SLOW_STEP = 0.5  # the slowest column moves by 3e-4 per position, with base e by 0.4, noise by 1.8
APART = 1e-4  # ten times what counts as equal for small float32 numbers
CLEARLY = 4  # rows must differ by this many times what may pass for equal; 2 would just do


# ------------------------------------------------------------------ lookup and one-hot


def lookups_are_row_three(seen: RelationView) -> Found:
    """`via_call` and `via_index` are row 3 of the student's own `embedding`."""
    yield from _rows_of_own_table(seen, ("via_call", "via_index"))


def one_hot_ways_are_row_three(seen: RelationView) -> Found:
    """`via_matmul` and `via_lookup` are row 3 of the student's own `embedding`."""
    yield from _rows_of_own_table(seen, ("via_matmul", "via_lookup"))


def _rows_of_own_table(seen: RelationView, names: Sequence[str]) -> Found:
    table = seen.table("embedding", 10, 4)
    for name in names:
        actual = seen.tensor(name, shape=(4,), leading_ones=True)
        _told_apart(seen, "embedding", table, actual=actual, expected=table)
        if _matches(seen, actual, table[TOKEN]):
            continue
        for row in range(len(table)):
            if _matches(seen, actual, table[row]):
                yield (
                    f"`{name}` is row {row} of your table. Token id {TOKEN} selects row {TOKEN}: "
                    "ids and rows are both counted from 0."
                )
                break
        else:
            yield f"`{name}` is none of the rows of `embedding.weight`; it should be row {TOKEN}."
            yield from seen.differs(name, actual, table[TOKEN])


def one_hot_ways_are_the_table(seen: RelationView) -> Found:
    """`via_matmul_all` and `via_lookup_all` are the student's whole table."""
    table = seen.table("embedding", 10, 4)
    for name in ("via_matmul_all", "via_lookup_all"):
        actual = seen.tensor(name, shape=(10, 4), leading_ones=True)
        _told_apart(seen, "embedding", table, actual=actual, expected=table)
        wrong = [row for row in range(10) if not _matches(seen, actual[row], table[row])]
        if wrong:
            yield (
                f"`{name}`: row {wrong[0]} is not row {wrong[0]} of your table ({len(wrong)} of "
                "10 rows differ). All ids in order give the whole table."
            )
            yield from seen.differs(name, actual, table)


def embedding_calls_select_rows(seen: RelationView) -> Found:
    """Calling `embedding` on any ids gives those rows of its table."""
    calls = seen.calls("embedding", "lookup_ids")
    table = _table_at_the_end(seen.table("embedding", 10, 4), calls[0])
    for number, call in enumerate(calls, 1):
        expected = table[call.args[0]]
        actual = call.tensor(shape=tuple(expected.shape))
        _told_apart(seen, "embedding", table, actual=actual, expected=table)
        yield from seen.differs(f"result of call {number}", actual, expected)


def _table_at_the_end(table: torch.Tensor, all_ids: CallView) -> torch.Tensor:
    """What all ids in order gave, where that can be the table as it was after the last cell.

    Calls come at the very end. Until then a cell may have trained the table, which is no
    mistake; equal rows, or a row of the table in another one's place, are.
    """
    now = all_ids.tensor()
    if now.shape != table.shape or not bool(torch.isfinite(now).all()):
        return table
    misplaced = (now[:, None] == table[None]).all(dim=-1) & ~torch.eye(10, dtype=torch.bool)
    return now if len(torch.unique(now, dim=0)) == 10 and not bool(misplaced.any()) else table


# ------------------------------------------------------------------ cosine similarity


def cosine_of_zero_is_finite(seen: RelationView) -> Found:
    """A zero vector has no direction: any finite number will do, NaN will not. Vectors that are
    not zero have their cosine."""
    sides = ("the first vector is", "the second vector is", "both vectors are")
    for side, call in zip(sides, seen.calls("cosine_similarity", "cosine_zero"), strict=True):
        value = call.number()
        if not math.isfinite(value):
            yield (
                f"When {side} all zeros the result is {value}. Its length is 0, and 0 / 0 is not "
                "a number: decide what to return before you divide."
            )
    right = (seen.reference or seen).calls("cosine_similarity", "cosine_like_zero")
    for call, wanted in zip(
        seen.calls("cosine_similarity", "cosine_like_zero"), right, strict=True
    ):
        if not abs(call.number() - wanted.number()) <= ALLOWED:
            a, b = (one.tolist() for one in call.args)
            yield (
                f"The cosine of {a} and {b} is {wanted.number():.4f}, not {call.number():.4f}. A "
                "vector is zero only if all its numbers are."
            )
            return


def animals_cluster(seen: RelationView) -> Found:
    """Rows 0, 1, 2 of `trained_emb` point one way, rows 3 and 4 elsewhere."""
    rows = seen.table("trained_emb", 5, 4).double()
    lengths = rows.norm(dim=1)
    for row in range(5):
        if not bool(lengths[row] > 0):
            yield (
                f"Row {row} of `trained_emb` has length {float(lengths[row])}, so it has no "
                "direction."
            )
            return
    cosines = (rows @ rows.T) / torch.outer(lengths, lengths)
    for a, b in itertools.combinations(range(5), 2):
        value = float(cosines[a, b])
        if b <= 2 and not value > ANIMALS_ABOVE:
            yield (
                f"Rows {a} and {b} ({NAMES[a]}, {NAMES[b]}) have cosine {value:.3f}; animals "
                f"should be above {ANIMALS_ABOVE}: give their rows almost the same direction."
            )
        if a <= 2 < b and not value < OTHERS_BELOW:
            yield (
                f"Rows {a} and {b} ({NAMES[a]}, {NAMES[b]}) have cosine {value:.3f}; an animal and "
                f"another word should be below {OTHERS_BELOW}: use other columns for that row."
            )


# ------------------------------------------------------------------ positional encoding


def encoding_is_float32(seen: RelationView) -> Found:
    """The table is float32, whatever is used on the way. Its numbers are not looked at."""
    calls = seen.calls("sinusoidal_positional_encoding", "encoding_dtype")
    for number, call in enumerate(calls, 1):
        dtype = getattr(call.result, "dtype", None)
        name = type(call.result).__name__ if dtype is None else str(dtype).removeprefix("torch.")
        if name != "float32":
            yield Mismatch(f"result of call {number}", "dtype", "float32", name)


def encoding_bounds_and_rows(seen: RelationView) -> Found:
    """Every entry lies in [-1, 1], no two positions share a row, and there is a slow wave.

    So that a table of nothing but zeros or noise earns nothing here, nor for its type or speed.
    """
    for call in seen.calls("sinusoidal_positional_encoding", "encoding_bounds"):
        length, width = call.args
        table = call.tensor(shape=(length, width), leading_ones=True).double()
        inside = table.abs() <= BOUND
        if not bool(inside.all()):
            p, column = (int(n) for n in (~inside).nonzero()[0])
            yield (
                f"Entry [{p}, {column}] of the table ({length}, {width}) is "
                f"{float(table[p, column]):.4g}. Sines and cosines stay between -1 and 1."
            )
            continue
        alike = (~_differ(table, APART)).nonzero()
        if len(alike):
            p, q = (int(n) for n in alike[0])
            yield (
                f"The positions of the table ({length}, {width}) need different rows, but rows "
                f"{p} and {q} are equal or nearly equal."
            )
        elif not float(table.diff(dim=0).abs().amax(dim=0).min()) < SLOW_STEP:
            yield (
                f"Every column of the table ({length}, {width}) jumps from one position to the "
                "next. Columns are waves, and the slowest of them hardly changes."
            )


def frequency_order_is_an_option(seen: RelationView) -> Found:
    """The answer is one of the two strings; which one is not looked at."""
    answer = " ".join(seen.text("frequency_order").lower().strip(" \t\r\n\"'`.,;:!").split())
    if answer not in ("first columns", "last columns"):
        yield "`frequency_order` should be the text 'first columns' or the text 'last columns'."


# ------------------------------------------------------------------ input pipeline


def model_input_is_the_sum(seen: RelationView) -> Found:
    """`model_input`: the student's own token rows plus rows 0 to 4 of the own `pe_matrix`."""
    positions = seen.tensor("pe_matrix")
    if not (positions.shape[-1:] == (64,) and positions.shape.numel() >= 5 * 64):
        positions = seen.tensor("pe_matrix", shape=(128, 64))
    first = positions.reshape(-1, 64)[: len(PIPELINE_IDS)]
    yield from _sum_of_rows(seen, "model_input", "pe_matrix", first)


def model_input_learned_is_the_sum(seen: RelationView) -> Found:
    """`model_input_learned`: own token rows plus rows 0 to 4 of the own `pos_embedding`."""
    first = _own_positions(seen)[: len(PIPELINE_IDS)]
    yield from _sum_of_rows(seen, "model_input_learned", "pos_embedding", first)


def _sum_of_rows(seen: RelationView, name: str, source: str, positions: torch.Tensor) -> Found:
    tokens, ids = seen.table("token_embedding", 100, 64), _own_ids(seen)
    actual = seen.tensor(name)
    if tuple(actual.shape)[-1:] == (128,):
        yield (
            f"`{name}` is 128 wide: the two vectors were concatenated. They are added, so the "
            "width stays 64."
        )
        return
    actual = seen.tensor(name, shape=(len(ids), 64), leading_ones=True)
    expected = tokens[list(ids)] + positions
    # beside the sum, so that neither summand can be too small to show in it
    summands = {"token_embedding": tokens[sorted(set(ids))], source: positions}
    for summand, rows in summands.items():
        _told_apart(seen, summand, rows, actual=actual, expected=expected)
    wrong = [p for p in range(len(ids)) if not _matches(seen, actual[p], expected[p])]
    if wrong:
        p = wrong[0]
        yield (
            f"`{name}`: row {p} (token {ids[p]} at position {p}) is not row {ids[p]} of "
            f"`token_embedding` plus row {p} of `{source}`. {len(wrong)} of {len(ids)} rows differ."
        )
        yield from seen.differs(name, actual, expected)


def _own_positions(seen: RelationView) -> torch.Tensor:
    """The student's learned positions; a table of other length, 5 or more, will do here."""
    try:
        return seen.table("pos_embedding", 128, 64)
    except Wrong:
        for entry in seen.module("pos_embedding").entries:
            if entry.array.shape[1:] == (64,) and entry.array.shape[0] >= 5:
                return to_tensor(entry.array)
        raise


def _own_ids(seen: RelationView) -> tuple[int, ...]:
    """The student's own five ids when they can be used, else the five that are asked for.

    With one id five times, all token rows would be one row, perhaps the padding's zeros.
    """
    try:
        ids = seen.tensor("token_ids", shape=(5,), leading_ones=True).double()
    except Wrong:
        return PIPELINE_IDS
    usable = bool(((ids == ids.round()) & (ids >= 0) & (ids < 100)).all())
    usable = usable and len(set(ids.tolist())) > 1
    return tuple(int(number) for number in ids) if usable else PIPELINE_IDS


def embed_tokens_example(seen: RelationView) -> Found:
    """`embed_tokens` adds rows 0 to T-1 of the encoding: the public sentence and batch."""
    yield from _embed_tokens(seen, "pipeline_example", "pipeline_example_sizes")


def embed_tokens_at_odd_widths(seen: RelationView) -> Found:
    """`embed_tokens` adds rows 0 to T-1 of the encoding: tables of odd widths."""
    yield from _embed_tokens(seen, "pipeline_odd", "pipeline_odd_sizes")


def embed_tokens_adds_positions(seen: RelationView) -> Found:
    """`embed_tokens` adds rows 0 to T-1 of the encoding: hidden tables and ids."""
    yield from _embed_tokens(seen, "pipeline_cases", "pipeline_sizes")


def _embed_tokens(seen: RelationView, cases: str, sizes: str) -> Found:
    calls = seen.calls("embed_tokens", cases)
    own = seen.calls("sinusoidal_positional_encoding", sizes)
    right = (seen.reference or seen).calls("embed_tokens", cases)
    for number, (call, encoding, reference) in enumerate(zip(calls, own, right, strict=True), 1):
        vectors = _weight(call)[call.args[1]]
        expected = reference.tensor(shape=tuple(vectors.shape))
        actual = call.tensor()
        if actual.is_complex():
            yield (
                f"Call {number}: the result contains complex numbers; it should contain real ones."
            )
            continue
        if _matches(seen, actual, expected) or _carried(seen, actual, call, encoding):
            continue
        yield f"Call {number}, ids of shape {list(call.args[1].shape)}: " + _slip(
            seen, actual, vectors, expected
        )
        if actual.shape == expected.shape:
            yield from seen.differs(f"result of call {number}", actual, expected)


def _carried(seen: RelationView, actual: torch.Tensor, call: CallView, own: CallView) -> bool:
    """Whether the result is right for the student's own encoding, right or wrong as it is.

    The own encoding counts only as a [T, D] table of finite numbers whose rows can be told
    apart in the sum: with a constant table, or one too small to see, the position would be
    lost; beside one of billions the token would be.
    """
    length, width = own.args
    weight, ids = _weight(call), call.args[1]
    vectors = weight[ids]
    try:
        table = own.tensor(shape=(length, width), leading_ones=True)
    except Wrong:
        return False
    if actual.shape == (1, length, width):  # a table that lies in a batch of one
        actual = actual.reshape(vectors.shape) if vectors.numel() == actual.numel() else actual
    if table.is_complex() or not bool(torch.isfinite(table).all()):
        return False
    expected = vectors + table
    room = _room(seen, actual, expected)
    usable = bool(_differ(table, room).all() and _differ(weight[ids.unique()], room).all())
    return usable and _matches(seen, actual, expected)


def _slip(
    seen: RelationView, actual: torch.Tensor, vectors: torch.Tensor, expected: torch.Tensor
) -> str:
    """What the result looks like, in one sentence."""
    width = vectors.shape[-1]
    if actual.shape == (*vectors.shape[:-1], 2 * width):
        return "the result is twice as wide as the table. Add the encoding; do not append it."
    if actual.shape != vectors.shape:
        return f"the shape is {list(actual.shape)}; it should be {list(vectors.shape)}."
    actual, encoding = actual.double(), expected - vectors
    looks = (
        (vectors, "these are the table rows alone; the encoding was not added."),
        (
            vectors * math.sqrt(width) + encoding,
            "the table rows were multiplied by sqrt(D). Here they are added as they are.",
        ),
        (vectors * encoding, "the table rows were multiplied by the encoding. Add it instead."),
        (vectors + encoding[..., :1, :], "every position got row 0; position p needs row p."),
    )
    for candidate, sentence in looks:
        if _matches(seen, actual, candidate):
            return sentence
    added = (actual - vectors).reshape(-1, *vectors.shape[-2:])
    rows = encoding.reshape(-1, *vectors.shape[-2:])
    for sequence, p in itertools.product(range(added.shape[0]), range(added.shape[1])):
        if not _matches(seen, added[sequence, p], rows[sequence, p]):
            return (
                f"sequence {sequence}, position {p}: result minus table row is not row {p} of "
                "the encoding. Positions run from 0 to T-1 along the last axis of the ids."
            )
    return "the sum of table row and encoding is wrong."


def embed_tokens_leaves_arguments(seen: RelationView) -> Found:
    """`embed_tokens` uses the embedding and changes neither its table nor the ids."""
    for number, call in enumerate(seen.calls("embed_tokens", "pipeline_sentences"), 1):
        if call.changed:
            what = "the table of token_embedding" if 0 in call.changed else "token_ids"
            yield (
                f"Call {number} changed {what} in place. A second call would start from different "
                "numbers: create a new tensor for the sum."
            )
            return
        if not _uses_rows(call):
            yield (
                f"The result of call {number} is unrelated to the rows of the table, so leaving "
                "the table unchanged earns nothing yet."
            )
            return


def _uses_rows(call: CallView) -> bool:
    """Whether the rows that were looked up show in the result, right or wrong as it is.

    Rows and a sum, product or scaled sum with the encoding correlate by 0.6 or more, rows and
    anything else by 0.06 (one standard deviation, for 320 numbers).
    """
    rows = _weight(call)[call.args[1]].double()
    result = call.tensor()
    if result.is_complex() or result.shape[-1:] < rows.shape[-1:]:
        return False
    width = rows.shape[-1]
    sides = (result[..., :width], result[..., -width:])
    fitting = [part.double().flatten() for part in sides if part.numel() == rows.numel()]
    pairs = [torch.stack([side, rows.flatten()]) for side in fitting]
    return any(bool(torch.corrcoef(pair)[0, 1].abs() > 0.3) for pair in pairs)


# ------------------------------------------------------------------ bag of words


def bag_answers_are_booleans(seen: RelationView) -> Found:
    """Both answers are True or False; which is not looked at."""
    seen.boolean("equal_without_positions")
    seen.boolean("equal_with_positions")
    yield from ()


def bag_answers_are_right(seen: RelationView) -> Found:
    """True without, False with encodings. Both are needed, so guessing one earns nothing."""
    without = seen.boolean("equal_without_positions")
    with_positions = seen.boolean("equal_with_positions")
    if not without:
        yield (
            "Without positions the same words give the same rows, in another order. Compare the "
            "rows as a multiset, not position by position."
        )
    if with_positions:
        yield (
            "With positions, a word's row depends on where the word is. Compare rows, not sums: "
            "the sum over all positions adds the same encodings in any order."
        )


# ------------------------------------------------------------------ pretrained neighbours


def nearest_is_a_ranked_list(seen: RelationView) -> Found:
    """k pairs (token, score), best first. Which tokens is not looked at."""
    for call in seen.calls("find_nearest_tokens", "neighbour_example"):
        word, k = call.args
        entries = _entries(call.result)
        if entries is None or len(entries) != k:
            yield f"The result for ({word!r}, {k}) should be a list of {k} pairs (token, score)."
            return
        scores = [score for _, score in entries]
        if k > 1 and len({token for token, _ in entries}) == 1:
            yield "All tokens of the list are the same; each neighbour should be a different token."
            return
        for place in range(1, k):
            if not scores[place] <= scores[place - 1]:
                yield (
                    f"Score {place + 1} is larger than score {place}: the best one should come "
                    "first."
                )
                return
        if not all(-1.0001 <= score <= 1.0001 for score in scores):
            yield "A cosine is between -1 and 1; these scores are not. Divide by both lengths."


def nearest_tokens_are_right(seen: RelationView) -> Found:
    """The k best tokens with their cosines; tokens of equal score may change places."""
    source = seen.reference or seen
    wide = {c.args[0]: c for c in source.calls("find_nearest_tokens", "neighbour_words_wide")}
    for call in seen.calls("find_nearest_tokens", "neighbour_words"):
        yield from _ranking(call, wide[call.args[0]])


def nearest_leaves_out_the_query(seen: RelationView) -> Found:
    """The query is left out by its id, even where another token has exactly its vector."""
    source = seen.reference or seen
    wide = {c.args[0]: c for c in source.calls("find_nearest_tokens", "neighbour_words_wide")}
    for call in seen.calls("find_nearest_tokens", "neighbour_twin"):
        word = call.args[0]
        tokens = [token for token, _ in _entries(call.result) or ()]
        others = [token for token, _ in _entries(wide[word].result) or ()]
        if len(tokens) < call.args[1]:
            yield f"The result for ({word!r}, {call.args[1]}) is not a list of that many pairs."
        elif not set(tokens) & set(others):
            yield f"None of these tokens is among the neighbours of {word!r}: rank them first."
        elif tokens.count(_bare(word)) > others.count(_bare(word)):
            yield (
                f"{word!r} is in its own list. Another token can have the same vector, so the "
                "first result need not be the query: leave out its id, not the first result."
            )


def _ranking(call: CallView, wide: CallView) -> Found:
    word, k = call.args
    entries, known = _entries(call.result), _entries(wide.result)
    if entries is None or known is None or len(entries) < k:
        yield f"The result for ({word!r}, {k}) should be a list of {k} pairs (token, score)."
        return
    entries = entries[:k]  # a check of its own counts them
    if len(set(entries)) < len(set(known[:k])):
        yield f"{word!r}: a token is listed twice."
        return
    tokens, right = ([token for token, _ in several] for several in (entries, known))
    if tokens.count(_bare(word)) > right.count(_bare(word)):  # a check of its own charges that
        del entries[tokens.index(_bare(word))]
    for place, ((token, score), (_, expected)) in enumerate(zip(entries, known, strict=False), 1):
        if not abs(score - expected) <= ALLOWED:
            yield (
                f"{word!r}, rank {place}: the score is {score:.4f}; the cosine at this rank is "
                f"{expected:.4f}. Look at the lengths, the order, and the query itself."
            )
            return
        tied = {name for name, value in known if abs(value - expected) <= ALLOWED}
        reaches_the_end = abs(known[-1][1] - expected) <= ALLOWED
        if token not in tied and not reaches_the_end:
            yield f"{word!r}, rank {place}: {token!r} does not have the score {expected:.4f}."
            return


ALLOWED = 1e-4  # measured: float32 cosines of 768 numbers lie within 2.3e-7 of float64
LARGEST = 1e30  # no score is larger; a longer integer would not even fit a float


def _entries(result: object) -> list[tuple[str, float]] | None:
    """A list of (bare token, score), or None when the result has another form."""
    if not isinstance(result, list | tuple):
        return None
    entries = []
    for pair in result:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            return None
        score = _score(pair[1])
        if score is None:
            return None
        entries.append((_bare(pair[0]), score))
    return entries


def _score(value: object) -> float | None:
    """A real number from a float, an int or a one-element array; None for anything else."""
    if isinstance(value, torch.Tensor):
        return float(value) if value.numel() == 1 and value.is_floating_point() else None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return float(value)
    return None


def _bare(token: str) -> str:
    """A token without its leading blank, however that blank is written."""
    return token.replace("\u0120", " ").strip()


# ------------------------------------------------------------------ shared


def _weight(call: CallView) -> torch.Tensor:
    """The table of the embedding that was handed to a call."""
    module = call.args[0]
    assert isinstance(module, Module)
    return to_tensor(module.entries[0].array)


def _told_apart(
    seen: RelationView,
    name: str,
    rows: torch.Tensor,
    *,
    actual: torch.Tensor,
    expected: torch.Tensor,
) -> None:
    """Rows prove something only where they are finite and clearly different.

    What may pass for equal grows with the numbers and the dtypes that are compared, and
    both are the student's choice.
    """
    room = _room(seen, actual, expected)
    if bool(torch.isfinite(rows).all()) and bool(_differ(rows, room).all()):
        return
    text = (
        f"`{name}` has rows that are not finite, equal, or too close together for their size, so "
        "it is impossible to see which row was taken. Do not change its initial numbers."
    )
    raise Wrong(Mismatch(name, "other", "different rows", "equal rows", text=text))


def _room(seen: RelationView, actual: torch.Tensor, expected: torch.Tensor) -> float:
    """How far rows must lie apart: clearly more than any bound of this comparison."""
    if seen.tolerance is not None:
        bounds = Bounds(seen.tolerance.rtol, seen.tolerance.atol)
    else:
        one, other = (str(t.dtype).removeprefix("torch.") for t in (actual, expected))
        bounds = default_bounds(one, other)
    largest = float(expected.to(torch.complex128).abs().max())
    return APART + CLEARLY * (bounds.atol + bounds.rtol * largest)


def _differ(rows: torch.Tensor, room: float) -> torch.Tensor:
    """For each two rows whether any of their numbers lie further apart than ``room``."""
    plain = torch.view_as_real(rows).flatten(1) if rows.is_complex() else rows
    apart = torch.cdist(plain.double(), plain.double(), p=math.inf)
    return apart.fill_diagonal_(math.inf) > room


def _matches(seen: RelationView, actual: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether two tensors agree within the check's tolerance, shape included."""
    if actual.shape != expected.shape:
        return False
    return next(iter(seen.differs("", actual, expected)), None) is None
