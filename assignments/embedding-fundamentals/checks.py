"""Relations of `embedding-fundamentals`: what must hold between a student's own values.

Each relation looks at one run's evidence and yields what is wrong, as sentences that say
where to look. Free choices (sizes, words, ways to train) are judged by what the student
chose, and a mistake in an earlier part is taken as given and not charged again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from autograder.judging.checks.decoded_value import find_table
from autograder.judging.checks.relation import CallView, RelationView, Wrong
from autograder.judging.verdict import Mismatch
from autograder.wire.tensors import from_wire, to_tensor
from autograder.wire.values import Array, ConstructedObject, Figure, Module, Panel

Found = Iterator[str | Mismatch]

APART = 1e-3  # rows that prove something differ by this much; usual tolerances are 1e-5
WITHIN_ABOVE, ACROSS_BELOW = 0.8, 0.4
GOAL = 0.4  # what company_keeps must exceed, as in the check of training
COSINES = ("cosine_similarity", "cosine_cases")
COSINE_ROOM = 1e-4  # float32 cosines of four numbers lie within 2e-7 of float64
GROUP_SIZE = 7  # three names and four words of company, in the order of their ids
GROUP_NAMES = 3
MATCHED = 0.75  # part of the points that are words; a mark for each group's mean may be others
PURE = 0.8  # part of the points whose nearest neighbour has their colour; by chance 0.25 to 0.45
CLOSE = 0.5  # distances within a colour over those across; untrained 0.6 to 1.3, trained below 0.2
AIMED = 0.7  # cosines within a colour less those across; untrained below 0.7 in 99 of 100 runs


# ------------------------------------------------------------------ sentences


def sentences_are_one_hot(seen: RelationView) -> Found:
    """`encode_sentence`: one row per word, in order; zeros for unknown words."""
    yield from _sentences(seen, _own_one_hot)


def sentences_are_rows(seen: RelationView) -> Found:
    """`embed_sentence`: the rows of the known words, in order."""
    yield from _sentences(seen, _own_rows)


Rows = dict[int, torch.Tensor]  # by id: what the student's own earlier part makes of it


def _sentences(seen: RelationView, own: Callable[[RelationView, CallView], Rows]) -> Found:
    """Right as the reference, or row by row as the student's own earlier part."""
    target, cases = seen.check.calls[0].call, seen.check.calls[0].inputs
    right = (seen.reference or seen).calls(target, cases)
    for call, reference in zip(seen.calls(target, cases), right, strict=True):
        sentence, vocab = call.args[0], call.args[1]
        actual, expected = call.tensor(), reference.tensor()
        if call.changed:
            yield f"{call.where} changes its arguments in place. Leave the vocabulary as it was."
        elif not _agree(seen, actual, expected):
            ids = [vocab.get(word) for word in sentence.lower().split()]
            rows = own(seen, call)
            if any(part.stand_in == "next_words" for part in seen.parts):
                # a wrong encode_sentence is not charged again where it is used
                ids = [None if i is None else (i + 1) % len(vocab) for i in ids]
                rows = rows if "lookup_embedding" in _replaced(seen) else _plain_rows(call)
            known = [i for i in ids if i in rows]
            if rows and len(known) == sum(i is not None for i in ids):
                empty = torch.zeros_like(next(iter(rows.values())))
                kept = ids if target == "encode_sentence" else known
                carried = torch.stack([empty if i is None else rows[i] for i in kept])
                if _agree(seen, actual, carried):
                    continue
            yield from seen.differs(call.where, actual, expected)


def _own_one_hot(seen: RelationView, call: CallView) -> Rows:
    """The student's own vectors of all ids of this vocabulary, where they tell ids apart."""
    size = len(call.args[1])
    calls = [c for c in seen.calls("one_hot_encode", "one_hot_all") if c.args[1] == size]
    return _usable({c.args[0]: _or_none(c) for c in calls}, (size,))


def _own_rows(seen: RelationView, call: CallView) -> Rows:
    """The student's own lookups in this very table, where they tell ids apart."""
    table = call.args[2]
    asked = seen.calls("lookup_embedding", "lookup_all")
    calls = [c for c in asked if c.args[1].shape == table.shape]
    return _usable({c.args[0]: _or_none(c) for c in calls}, None)


def _replaced(seen: RelationView) -> set[str]:
    return {part.name for part in seen.parts}


def _plain_rows(call: CallView) -> Rows:
    """The rows of the table that a call was given."""
    return {i: torch.as_tensor(row).double() for i, row in enumerate(call.args[2])}


def _usable(found: dict[int, torch.Tensor | None], shape: tuple[int, ...] | None) -> Rows:
    """Vectors of one shape, finite, none of them zero and no two alike; else none at all."""
    rows = {i: row.double() for i, row in found.items() if row is not None}
    shapes = {tuple(row.shape) for row in rows.values()}
    if len(shapes) != 1 or (shape is not None and shapes != {shape}) or () in shapes:
        return {}
    table = torch.stack([row.flatten() for row in rows.values()])
    apart = torch.cdist(table, torch.cat([table, torch.zeros_like(table[:1])]), p=math.inf)
    apart[:, :-1].fill_diagonal_(math.inf)
    return rows if bool(torch.isfinite(table).all() and (apart > APART).all()) else {}


def sentence_of_no_words(seen: RelationView) -> Found:
    """`encode_sentence` of no words: zero rows, as [0, V] or as an empty list."""
    yield from _zero_rows(seen, "encode_sentence", "sentence_wordless")


def embedded_of_no_words(seen: RelationView) -> Found:
    """`embed_sentence` without a known word: zero rows, as [0, D] or as an empty list."""
    yield from _zero_rows(seen, "embed_sentence", "embed_sentence_wordless")


def _zero_rows(seen: RelationView, target: str, cases: str) -> Found:
    right = (seen.reference or seen).calls(target, cases)
    for call, reference in zip(seen.calls(target, cases), right, strict=True):
        shape, wanted = tuple(call.tensor().shape), tuple(reference.tensor().shape)
        if shape not in ((0,), wanted):
            yield (
                f"{call.where} has shape {list(shape)}; without words there are no rows: "
                f"{list(wanted)}."
            )


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
        if not abs(call.number() - wanted.number()) <= COSINE_ROOM:
            a, b = (one.tolist() for one in call.args)
            yield (
                f"The cosine of {a} and {b} is {wanted.number():.4f}, not {call.number():.4f}. A "
                "vector is zero only if all its numbers are."
            )
            return


# ------------------------------------------------------------------ a batch


def batch_table_is_learnable(seen: RelationView) -> Found:
    """`batch_embedding` is an nn.Embedding with one learnable table."""
    if not _batch_table(seen).learnable:
        yield "The table of `batch_embedding` is frozen. Leave it learnable, as it is by default."


def batch_vectors_are_rows(seen: RelationView) -> Found:
    """`batch_vectors` holds the rows of the student's own table for the own ids: [B, T, D]."""
    table = to_tensor(_batch_table(seen).array)
    ids = _batch_ids(seen, len(table))
    distinct = table[ids.unique()].double()
    apart = torch.cdist(distinct, distinct, p=math.inf).fill_diagonal_(math.inf)
    if len(distinct) < 2 or not bool((apart > APART).all()):
        yield (
            "The rows of your ids cannot be distinguished: use at least two different ids, and "
            "do not change the initial numbers of the table."
        )
        return
    actual, expected = seen.tensor("batch_vectors"), table[ids]
    if tuple(actual.shape) != tuple(expected.shape):
        yield (
            f"`batch_vectors` has shape {list(actual.shape)}. Ids of shape {list(ids.shape)} and a "
            f"width of {table.shape[1]} give {list(expected.shape)}."
        )
    elif not _agree(seen, actual, expected):
        yield (
            "`batch_vectors` does not contain the rows of your `batch_embedding` for your "
            "`batch_ids`: the vector at [b, t] should be the row of the id at [b, t]."
        )


def _batch_table(seen: RelationView) -> Any:
    module = seen.module("batch_embedding")
    if "Embedding" not in module.bases:
        text = f"`batch_embedding` is a {module.type}; it should be an nn.Embedding."
        raise _wrong("batch_embedding", text)
    tables = [e for e in module.entries if len(e.array.shape) == 2]
    if not tables:
        raise _wrong("batch_embedding", "`batch_embedding` has no table of shape [V, D].")
    return tables[0]


def _batch_ids(seen: RelationView, size: int) -> torch.Tensor:
    ids = seen.tensor("batch_ids")
    if ids.dtype.is_floating_point or ids.dtype.is_complex or ids.dtype == torch.bool:
        raise _wrong("batch_ids", f"`batch_ids` has dtype {ids.dtype}; ids must be integers.")
    if ids.dim() != 2 or min(ids.shape) < 2:
        shape = list(ids.shape)
        raise _wrong(
            "batch_ids",
            f"`batch_ids` has shape {shape}; it should be [B, T], with B and T at least 2.",
        )
    if not bool(((ids >= 0) & (ids < size)).all()):
        raise _wrong("batch_ids", f"`batch_ids` has an id outside the range 0 to {size - 1}.")
    return ids.long()


# ------------------------------------------------------------------ positions


def encoding_is_float32(seen: RelationView) -> Found:
    """The table is float32. Its numbers are not looked at."""
    for call in seen.calls("positional_encoding_from_scratch", "encoding_dtype"):
        dtype = getattr(call.result, "dtype", None)
        name = type(call.result).__name__ if dtype is None else str(dtype).removeprefix("torch.")
        if name != "float32":
            yield Mismatch(call.where, "dtype", "float32", name)


def positions_are_told_apart(seen: RelationView) -> Found:
    """What is added to zeros differs by position, and is the same in every sequence. Whether it is
    the encoding is for other checks."""
    said = []
    for stood_in in (False, True):
        (call,) = seen.calls("PositionalEncoding.forward", "positions_example", stood_in=stood_in)
        said.append(list(_no_positions(call)))
    if all(said):
        yield said[0][0]


def _no_positions(call: CallView) -> Found:
    raised = str(getattr(call.held.value, "text", ""))
    if raised:
        yield raised
        return
    try:
        added = call.tensor(shape=call.args[1].shape)
    except Wrong as wrong:
        yield wrong.mismatch
        return
    first = added[0]
    if not bool(torch.isfinite(added).all()) or not torch.equal(added[0], added[1]):
        yield f"{call.where} adds something else to each sequence; all begin at position 0."
    elif len(first.unique(dim=0)) < len(first):
        yield f"{call.where} adds the same to several positions."


def encoding_is_a_buffer(seen: RelationView) -> Found:
    """A table of the encoding's size lies in a buffer that is saved, and nothing is learnable. Its
    numbers are not looked at."""
    (call,) = seen.calls("PositionalEncoding", "positions_made", stood_in=True)
    width, longest = call.args
    entries = call.module().entries
    learned = [e for e in entries if e.role == "parameter"]
    holding = [e for e in entries if math.prod(e.array.shape) == width * longest]
    if learned:
        yield (
            f"The module has {len(learned)} parameter(s). The encoding is a formula and is never "
            "trained: keep it in a buffer, not a parameter."
        )
    elif not holding:
        yield (
            "No buffer of the module has the size of the encoding of 10 positions, 6 wide. A "
            "plain attribute stays behind when the model is moved, and is missing from its state "
            "dict."
        )
    elif not any(e.saved for e in holding):
        yield "The buffer is left out of the state dict (persistent=False). It must be saved."


def vectors_stay(seen: RelationView) -> Found:
    """`PositionalEncoding` makes a new tensor: `x` and the module stay as they were."""
    for call in seen.calls("PositionalEncoding.forward", "positions_gradient", stood_in=True):
        if call.changed:
            what = "`x`" if 1 in call.changed else "its own table"
            yield f"{call.where} changes {what} in place. Create a new tensor for the sum."


# ------------------------------------------------------------------ training


def company_keeps(call: CallView) -> float:
    """How much closer words are that share their company than words that do not.

    The first four pairs begin with king, queen, man and woman in this order.
    """
    pairs, size, width = call.args[:3]
    table = _trained(call, size, width)
    king, queen, man, woman = (pair[0] for pair in pairs[:4])
    unit = table / table.norm(dim=1, keepdim=True)
    cosines = unit @ unit.T
    if not bool(torch.isfinite(cosines).all()):
        raise _wrong(call.where, "The table has a row without direction: zeros, NaN or infinity.")
    within = (cosines[king, queen] + cosines[man, woman]) / 2
    across = (cosines[king][[man, woman]].mean() + cosines[queen][[man, woman]].mean()) / 2
    return float(within - across)


def arguments_decide(seen: RelationView) -> Found:
    """The same seed gives the same table, another one another; the learning rate is used."""
    calls = seen.calls("train_embeddings", "training_arguments")
    tables = [_trained(call, *call.args[1:3]) for call in calls]
    first, again, other, still, stiller, moved, _ = tables
    if not all(bool(torch.isfinite(t).all()) and len(t.unique(dim=0)) == len(t) for t in tables):
        yield "Rows of the table are equal or not finite, so the seed cannot be checked."
    elif not _same(first, again):
        yield "Two calls with the same seed gave different tables. Set the seed in the call."
    elif _same(first, other):
        yield "Two different seeds gave the same table. Use the `seed` that is passed."
    elif not _same(still, stiller):
        yield "With a learning rate of 0 the table still changes. Use the `lr` that is passed."
    elif _same(first, moved):
        yield "Six epochs give the same table as a single one. Use the `epochs` that is passed."
    elif _same(still, moved):
        yield "A single epoch does not change the table. Train for `epochs` epochs."
    elif not company_keeps(calls[-1]) < GOAL:
        yield (
            "With a learning rate of 0, words that occur with the same words are already "
            "similar. Start with random numbers, and let training find the similarities."
        )


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bool(((one - other).abs() <= 1e-5).all())


def _trained(call: CallView, size: int, width: int) -> torch.Tensor:
    """The returned table [V, D]: of a module found by shape, else just these numbers."""
    if isinstance(call.held.value, Module):
        return call.table(size, width).double()
    return call.tensor(shape=(size, width)).double()


# ------------------------------------------------------------------ categories


def words_are_ten(seen: RelationView) -> Found:
    """`category_words` is a list of ten different words."""
    words = seen.value("category_words")
    words = list(words) if isinstance(words, list | tuple) else []
    if len(words) != 10 or not all(isinstance(word, str) for word in words):
        yield "`category_words` should be a list of ten words."
    elif len({word.lower().strip() for word in words}) < 10:
        yield "A word occurs twice in `category_words`."


def categories_are_apart(seen: RelationView) -> Found:
    """Within a category above 0.8, across below 0.4, for every pair of the own words."""
    words, cosines = seen.value("category_words"), _cosines(seen)
    for a in range(10):
        for b in range(a):
            within, value = (a < 5) == (b < 5), float(cosines[a, b])
            if within and not value > WITHIN_ABOVE:
                limit = f"above {WITHIN_ABOVE}: they are in the same category"
            elif not within and not value < ACROSS_BELOW:
                limit = f"below {ACROSS_BELOW}: they are in different categories"
            else:
                continue
            yield f"{words[b]!r} and {words[a]!r} have {value:.3f}; it should be {limit}."
            return


def categories_are_cosines(seen: RelationView) -> Found:
    """What is returned can be cosines: 1 for a word with itself, symmetric, of real vectors."""
    cosines = _cosines(seen)
    if not bool(((cosines.diagonal() - 1).abs() < COSINE_ROOM).all()):
        yield "The cosine of a word with itself should be 1."
    elif not bool(((cosines - cosines.T).abs() < COSINE_ROOM).all()):
        yield "The order of the two words should not matter."
    elif not float(torch.linalg.eigvalsh(cosines).min()) > -COSINE_ROOM:
        yield "No ten vectors have these cosines. Give each word a vector, and compute the cosines."


def _cosines(seen: RelationView) -> torch.Tensor:
    """The numbers of every two words; where the `cosine_similarity` of exercise 3 is wrong and
    makes them, the cosines of the vectors that it was called with."""
    calls = seen.calls("category_similarity", "category_all")
    without = seen.calls("category_similarity", "category_all", stood_in=True)
    numbers, alike = _all_pairs(calls), _all_pairs(without)
    uses = alike is not None and (numbers is None or not torch.equal(alike, numbers))
    if alike is not None and uses and _is_wrong(seen):
        sizes = alike.diagonal().sqrt()
        return alike / torch.outer(sizes, sizes)
    if numbers is None:
        first = next((call for call in calls if _or_none(call) is None), calls[0])
        raise _wrong("category_similarity", _said(first))
    return numbers


def _all_pairs(calls: Sequence[CallView]) -> torch.Tensor | None:
    """Numbers [10, 10], where each call gave a finite one."""
    values = [_or_none(call) for call in calls]
    found = [v for v in values if v is not None and v.numel() == 1 and not v.is_complex()]
    table = torch.tensor([float(value) for value in found], dtype=torch.float64)
    whole = len(found) == 100 and bool(torch.isfinite(table).all())
    return table.reshape(10, 10) if whole else None


def _is_wrong(seen: RelationView) -> bool:
    """Whether the own `cosine_similarity` of exercise 3 gives other numbers, or none."""
    own = [_or_none(call) for call in seen.calls("cosine_similarity", "cosine_cases")]
    right = [call.number() for call in (seen.reference or seen).calls(*COSINES)]
    return not all(
        value is not None
        and value.numel() == 1
        and not value.is_complex()
        and abs(float(value) - number) < COSINE_ROOM
        for value, number in zip(own, right, strict=True)
    )


# ------------------------------------------------------------------ similarity to the first


def similarity_example_is_right(seen: RelationView) -> Found:
    """`similarity_to_first`: the public size."""
    yield from _similarities(seen, "similarity_example", "similarity_example_rows")


def similarities_are_right(seen: RelationView) -> Found:
    """`similarity_to_first`: other sizes."""
    yield from _similarities(seen, "similarity_cases", "similarity_rows")


def _similarities(seen: RelationView, cases: str, rows: str) -> Found:
    """Right as it is, with a stand-in for the encoding, or by the student's own cosine."""
    found: list[list[str | Mismatch]] = []
    for stood_in in (False, True):
        calls = seen.calls("similarity_to_first", cases, stood_in=stood_in)
        right = (seen.reference or seen).calls("similarity_to_first", cases, stood_in=stood_in)
        slips: list[str | Mismatch] = []
        for call, reference in zip(calls, right, strict=True):
            actual = _or_none(call)
            if actual is None:
                slips.append(_said(call))
            else:
                slips += seen.differs(call.where, actual, reference.tensor())
        found.append(slips)
    if all(found) and not _by_own_cosine(seen, cases, rows):
        yield from found[0]


def _by_own_cosine(seen: RelationView, cases: str, rows: str) -> bool:
    """Whether every result is what the student's own `cosine_similarity` makes of the rows."""
    results = [_or_none(call) for call in seen.calls("similarity_to_first", cases)]
    if any(result is None or result.dim() != 1 or result.is_complex() for result in results):
        return False
    joined = torch.cat([result.double() for result in results if result is not None])
    own = _own_cosines(seen, rows, len(joined))
    return own is not None and torch.allclose(joined, own, rtol=1e-4, atol=1e-4)


def _own_cosines(seen: RelationView, rows: str, count: int) -> torch.Tensor | None:
    """The student's own `cosine_similarity` of row 0 with each row, where it tells rows apart."""
    values = [_or_none(call) for call in seen.calls("cosine_similarity", rows)][:count]
    found = [v.double().flatten() for v in values if v is not None and not v.is_complex()]
    if len(found) != count or any(len(value) != 1 for value in found):
        return None
    own = torch.cat(found)
    spread = float(own.max() - own.min()) > APART
    return own if spread and bool(torch.isfinite(own).all()) else None


# ------------------------------------------------------------------ figures


def curve_is_drawn(seen: RelationView) -> Found:
    """A line of a figure shows the cosines of the 100 positions, over 0 to 99."""
    (own,) = seen.calls("similarity_to_first", "similarity_figure")
    (right,) = (seen.reference or seen).calls("similarity_to_first", "similarity_figure")
    wanted = [right.tensor().double(), _own_curve(own), _own_cosines(seen, "similarity_rows", 100)]
    rows = _own_encoding(seen)
    if rows is not None and rows.dim() == 2 and not rows[:1].any():  # a row 0 without a direction
        wanted.append(_or_none(own))
    if _has_other_length(seen):
        return
    lengths = {len(values) for values in wanted if values is not None}
    drawn = [line for panel in _panels(seen) for line in _curves(panel) if len(line) in lengths]
    if not drawn:
        yield "No figure of this exercise shows a curve over 100 positions. Draw it with plt.plot."
        return
    curves = [line for line in drawn if any(_is_curve(line, values) for values in wanted)]
    if not curves:
        yield "No curve of the figure has the cosines of row 0 with rows 0 to 99 as its heights."
        return
    steps = [(line[:, 0] - torch.arange(len(line), dtype=torch.float64)).abs() for line in curves]
    if not any(bool(((step < 1e-6) | step.isnan()).all()) for step in steps):
        yield "The curve has the right heights, but not over the positions 0 to 99."


def _own_encoding(seen: RelationView) -> torch.Tensor | None:
    (encoding,) = seen.calls("positional_encoding_from_scratch", "similarity_figure")
    return _or_none(encoding)


def _has_other_length(seen: RelationView) -> bool:
    """Whether a right function has no 100 numbers to draw, because the student's own encoding of
    100 positions has another number of rows. Drawing them over 0 to 99 may well raise."""
    rows = _own_encoding(seen)
    if rows is None or len(rows) == 100:
        return False
    (call,) = seen.calls("similarity_to_first", "similarity_figure", stood_in=True)
    (right,) = (seen.reference or seen).calls(
        "similarity_to_first", "similarity_figure", stood_in=True
    )
    values, wanted = _or_none(call), right.tensor().double()
    if values is None or values.shape != wanted.shape:
        return False
    return torch.allclose(values.double(), wanted, rtol=0.0, atol=1e-4)


def _own_curve(call: CallView) -> torch.Tensor | None:
    """The student's own cosines, of whatever length an earlier mistake made them.

    They count as a curve that begins with 1, as the cosine of a row with itself does. A row that
    an earlier mistake left without a direction may have NaN.
    """
    values = _or_none(call)
    if values is None or values.dim() != 1 or len(values) < 2 or values.is_complex():
        return None
    values = values.double()
    known = values[~values.isnan()]
    spread = len(known) > 1 and float(known.max() - known.min()) > APART
    return values if abs(float(values[0]) - 1) < APART and spread else None


def curve_is_labelled(seen: RelationView) -> Found:
    """The panel of a curve has a label on each axis."""
    if _has_other_length(seen):
        return
    panels = [panel for panel in _panels(seen) if _curves(panel)]
    if not any(panel.xlabel.strip() and panel.ylabel.strip() for panel in panels):
        yield "Label both axes: what is on the horizontal axis, and what do the heights mean?"


def points_lie_together(seen: RelationView) -> Found:
    """A scatter of words, two or more of each colour, coloured by group.

    The words are found by the student's own training, called as the text says. Where that gives
    another table each time, each colour's points must lie together instead, and even that is
    excused where the training brings no group together.
    """
    scatters = [found for panel in _panels(seen) if (found := _scatter(panel)) is not None]
    if not scatters:
        yield (
            "No figure of this exercise shows points. If the cell stops with an error, look at "
            "that first; otherwise draw the points with plt.scatter."
        )
        return
    faults = [_fault(*scatter) for scatter in scatters]
    whole = [scatter for scatter, fault in zip(scatters, faults, strict=True) if fault is None]
    own = _own_map(seen)
    if not whole:
        yield next(fault for fault in faults if fault is not None)
    elif own is None or not _repeats(seen):
        if own is not None and _grouped(own) and not any(_together(*one) for one in whole):
            yield "The points of one colour are not close together. Is this the trained table?"
    else:
        named = [(_words(where, own), colors) for where, colors in whole]
        known = [(words, colors) for words, colors in named if words is not None]
        if not known:
            yield (
                "The points are not the rows of the table that your train_embeddings returns for "
                "the given pairs, with width 2, EPOCHS, RATE and SEED."
            )
        elif not any(_by_group(words, colors) for words, colors in known):
            yield (
                "The colours do not match the groups: words of one group share a colour, and "
                "different groups have different colours. Draw at least two groups."
            )


def _own_map(seen: RelationView) -> torch.Tensor | None:
    """The student's own table of width 2."""
    try:
        (call,) = seen.calls("train_embeddings", "training_map")
        table = _trained(call, *call.args[1:3])
    except Wrong:
        return None
    spread = float(table.max() - table.min()) > APART
    return table if spread and bool(torch.isfinite(table).all()) else None


def _words(where: torch.Tensor, own: torch.Tensor) -> torch.Tensor | None:
    """The word of each point, -1 for none (a mark at a mean), None where most are none.

    Rows may be drawn as they are, with the axes changed over, centred, or at length one.
    """
    unit = own / own.norm(dim=1, keepdim=True).clamp(min=1e-12)
    for table in (own, own.flip(1), own - own.mean(dim=0), unit):
        near = torch.cdist(where, table).min(dim=1)
        close = near.values <= APART * table.abs().max()
        if float(close.double().mean()) >= MATCHED:
            return torch.where(close, near.indices, -1)
    return None


def _by_group(words: torch.Tensor, colors: torch.Tensor) -> bool:
    """Whether no colour goes over two groups, and two groups of two words or more are there."""
    groups = torch.div(words, GROUP_SIZE, rounding_mode="floor")
    several = [g for g in range(3) if len(words[groups == g].unique()) > 1]
    mixed = [c for c in colors.unique() if len(groups[(colors == c) & (words >= 0)].unique()) > 1]
    return len(several) > 1 and not mixed


def _fault(where: torch.Tensor, colors: torch.Tensor) -> str | None:
    """What keeps points from being a map of groups, whatever they show."""
    counts = torch.bincount(colors)
    if len(counts) < 2:
        return "All points have one colour, so no groups can be seen."
    if int(counts.min()) < 2:
        return "There is a colour that only one point has. The words of a group share a colour."
    if not bool(((where[:, 0] - where[:, 1]).abs() > APART).any()):
        return "All points lie on the diagonal: both axes show the same column."
    return None


def _repeats(seen: RelationView) -> bool:
    """Whether the student's own training gives the same table for the same seed."""
    try:
        first, again = seen.calls("train_embeddings", "training_twice")
        return _same(_trained(first, *first.args[1:3]), _trained(again, *again.args[1:3]))
    except Wrong:
        return False


def _grouped(table: torch.Tensor) -> bool:
    """Whether the names of each group lie together in a map of all words."""
    words = torch.arange(len(table))
    names = words[words % GROUP_SIZE < GROUP_NAMES]
    return _together(table[names], torch.div(names, GROUP_SIZE, rounding_mode="floor"))


def _panels(seen: RelationView) -> list[Panel]:
    return [
        panel for figure in seen.figures() if isinstance(figure, Figure) for panel in figure.panels
    ]


def _curves(panel: Panel) -> list[torch.Tensor]:
    drawn = [to_tensor(array).double() for array in (*panel.lines, *panel.points)]
    return [line for line in drawn if line.dim() == 2 and line.shape[1] == 2 and len(line) > 1]


def _is_curve(line: torch.Tensor, values: torch.Tensor | None) -> bool:
    if values is None or values.is_complex() or values.shape != line[:, 1].shape:
        return False
    return torch.allclose(line[:, 1], values.double(), rtol=0.0, atol=1e-4, equal_nan=True)


def _scatter(panel: Panel) -> tuple[torch.Tensor, torch.Tensor] | None:
    """All points of a panel [n, 2] and the number of each one's colour [n]."""
    places, colors = [], []
    for points, color in zip(panel.points, panel.point_colors, strict=False):
        here, paint = to_tensor(points).double(), to_tensor(color).double()
        if here.dim() != 2 or here.shape[1:] != (2,) or paint.dim() != 2 or not len(paint):
            continue
        if len(paint) not in (1, len(here)):
            continue
        places.append(here)
        colors.append(paint.expand(len(here), -1) if len(paint) == 1 else paint)
    if not places or len({c.shape[1] for c in colors}) != 1:
        return None
    where = torch.cat(places)
    if not bool(torch.isfinite(where).all()):
        return None
    return where, torch.cat(colors).round(decimals=4).unique(dim=0, return_inverse=True)[1]


def _together(where: torch.Tensor, colors: torch.Tensor) -> bool:
    """By distance, by direction, or by each point's nearest neighbour."""
    same = colors[:, None] == colors[None]
    others = ~torch.eye(len(where), dtype=torch.bool)
    apart = torch.cdist(where, where)
    unit = where / where.norm(dim=1, keepdim=True).clamp(min=1e-12)
    aim = unit @ unit.T
    if not float(apart.max()) > APART:
        return False
    inside = same & others
    by_distance = float(apart[inside].mean()) < CLOSE * float(apart[~same].mean())
    by_direction = float(aim[inside].mean() - aim[~same].mean()) > AIMED
    nearest = apart.masked_fill(~others, math.inf).argmin(dim=1)
    pure = float(same[torch.arange(len(where)), nearest].double().mean()) >= PURE
    return by_distance or by_direction or pure


# ------------------------------------------------------------------ texts


def texts_are_looked_up(seen: RelationView) -> Found:
    """`TextEmbedding`: the rows of the words, padded behind; the lookup alone, scaled, or with
    positions."""
    own = [_or_none(call) for call in seen.calls("PositionalEncoding.forward", "texts_positions")]
    for call in seen.calls("TextEmbedding.forward", seen.check.calls[0].inputs):
        wish = call.args[0]
        assert isinstance(wish, ConstructedObject)
        vocab, width, limit = (from_wire(value) for value in wish.args)
        table = to_tensor(wish.slots[0].array)
        ids = [_text_ids(text, vocab)[:limit] for text in call.args[1]]
        actual = call.tensor()
        if 0 in call.changed:  # the list of texts is looked at once, where calls are repeated
            yield f"{call.where} changes the table in place, so the next call gives other numbers."
            return
        longest = max(map(len, ids))
        lengths = {longest, limit} | ({1} if longest == 0 else set())
        shapes = [(len(ids), length, width) for length in sorted(lengths)]
        if tuple(actual.shape) not in shapes:
            several = " or ".join(str(list(shape)) for shape in shapes)
            yield f"{call.where} has shape {list(actual.shape)}; it should be {several}."
            return
        if not _looked_up(seen, actual, table, ids, own):
            yield from _first_wrong(seen, actual, table, ids, call)
            return


def _text_ids(text: str, vocab: dict[str, int]) -> list[int]:
    return [vocab.get(word, vocab["[UNK]"]) for word in text.lower().split()]


def _looked_up(
    seen: RelationView,
    actual: torch.Tensor,
    table: torch.Tensor,
    ids: list[list[int]],
    own: list[torch.Tensor | None],
) -> bool:
    """Lookup, or lookup times sqrt(D); with nothing added, the encoding, or one row per place."""
    width = table.shape[1]
    length = max(map(len, ids))
    added = [torch.zeros(length, width), _encoding(length, width)]
    tables = [one[0] for one in own if one is not None and one.dim() == 3]
    added += [
        one[:length].float() for one in tables if tuple(one[:length].shape) == (length, width)
    ]
    for scale in (1.0, math.sqrt(width)):
        left = [actual[b, : len(row)].float() - scale * table[row] for b, row in enumerate(ids)]
        for rows in (*added, _learned(seen, left, length, width)):
            if rows is not None and all(_agree(seen, x, rows[: len(x)]) for x in left):
                return True
    return False


def _learned(
    seen: RelationView, left: list[torch.Tensor], length: int, width: int
) -> torch.Tensor | None:
    """What is left over at each place, where the class has learned positions of its own."""
    module = seen.calls("TextEmbedding", "texts_made")[0].held.value
    several = isinstance(module, Module) and sum(e.role == "parameter" for e in module.entries) > 1
    if not several or not left:
        return None
    longest = max(left, key=len)
    return longest if len(longest) == length else None


def _encoding(length: int, width: int) -> torch.Tensor:
    columns = torch.arange(width, dtype=torch.float64)
    turns = torch.arange(length, dtype=torch.float64)[:, None] * 10000.0 ** (
        -2 * torch.div(columns, 2, rounding_mode="floor") / width
    )
    return torch.where(columns % 2 == 0, turns.sin(), turns.cos()).float()


def _first_wrong(
    seen: RelationView,
    actual: torch.Tensor,
    table: torch.Tensor,
    ids: list[list[int]],
    call: CallView,
) -> Found:
    """The first place that is no lookup of its word, and whose row it is instead."""
    for b, row in enumerate(ids):
        for t, i in enumerate(row):
            if _agree(seen, actual[b, t].float(), table[i]):
                continue
            yield f"{call.where}: text {b}, word {t} should be row {i} of the table."
            for other in range(len(table)):
                if _agree(seen, actual[b, t].float(), table[other]):
                    yield f"It is row {other}."
            return
    yield f"{call.where}: the rows are not those of the words."


def padding_row_is_zero(seen: RelationView) -> Found:
    """In a fresh module the row of [PAD] is zero, and no other one is."""
    for call in seen.calls("TextEmbedding", "texts_made"):
        vocab, width = call.args[0], call.args[1]
        found = find_table(call.module(), len(vocab), width)
        if found is None or not found.entry.learnable:
            yield f"There is no learnable table of shape [{len(vocab)}, {width}] in the module."
            return
        table = to_tensor(found.entry.array)
        table = table.T if found.turned else table
        filled = (table != 0).any(dim=1)
        if bool(filled[vocab["[PAD]"]]):
            yield "The row of [PAD] is not zero in a new module."
            return
        if int(filled.sum()) != len(vocab) - 1 or not bool(torch.isfinite(table).all()):
            yield (
                "Rows of words are zero or not finite in a new module; only the row of [PAD] "
                "should be zero."
            )
            return


# ------------------------------------------------------------------ shared


def _or_none(call: CallView) -> torch.Tensor | None:
    """The numbers that a call returned; None where it did not return any."""
    value = call.held.value
    if not isinstance(value, Array | int | float) and not hasattr(value, "items"):
        return None
    try:
        return call.tensor()
    except Wrong:
        return None


def _said(call: CallView) -> str:
    """What went wrong in a call that returned no numbers."""
    return getattr(call.held.value, "text", "") or f"{call.where} returns no numbers."


def _agree(seen: RelationView, actual: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether two tensors agree within the check's tolerance, shape included."""
    if tuple(actual.shape) != tuple(expected.shape) or actual.is_complex():
        return False
    return next(iter(seen.differs("", actual, expected)), None) is None


def _wrong(where: str, text: str) -> Wrong:
    return Wrong(Mismatch(where, "other", "", "", text=text))
