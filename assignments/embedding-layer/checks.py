"""Relations of `embedding-layer`: what must hold between what a student's code returned.

Covered: distributions of new tables, results that may have several shapes or forms, rankings
with ties, and a mistake in an earlier part that is taken as given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch

from autograder.judging.checks.relation import CallView, RelationView, Wrong
from autograder.judging.verdict import Mismatch
from autograder.wire.tensors import from_wire, to_tensor
from autograder.wire.values import Array, ConstructedObject, Entry, Items, Opaque

Found = Iterator[str | Mismatch]

MEAN, STD = 0.0, 0.02
# With n numbers of N(0, 0.02^2) the mean has a standard error of 0.02 / sqrt(n), the measured
# spread one of 0.02 / sqrt(2n), the excess kurtosis one of sqrt(24 / n). Every table here has
# n >= 24,000 numbers. SIGMAS = 6 fails a right table with a probability of 2e-9 for the mean
# and about 3e-9 for the spread (2.7 % of it); an excess kurtosis of 0.3 is 9.5 standard errors.
# So for the 8 tables of the assignment the false alarm is below 1e-7; of 6,000 simulated right
# tables the worst had 3.6 standard errors and a kurtosis of 0.12. A uniform table has -1.2, a
# normal one cut at two standard deviations -0.63, a Laplace one +3.
SIGMAS = 6.0
KURTOSIS = 0.3
APART = 1e-3  # rows of an own table must differ by this; those of a new one do by 0.01 and more
BUILT = 0.5  # least mean correlation with a row; noise reaches 0.35 at these sizes, sums 0.7
ALLOWED = 1e-4  # measured: float32 cosines of up to 16 numbers lie within 3e-7 of float64
COARSE = 1e-2  # bfloat16 rounds by less than that
LARGEST = 1e30  # no score is larger; a longer integer would not even fit a float


# ------------------------------------------------------------------ new tables


def token_rows_are_told_apart(seen: RelationView) -> Found:
    """What a TokenEmbedding gives are numbers of its table, right or wrong; or, for a table that is
    no parameter, a vector of its own for each id."""
    new = seen.calls("TokenEmbedding.forward", "token_new")
    if not (_any_used(seen, "TokenEmbedding", "token") or all(map(_tells_apart, new))):
        yield _unused(new[0])


def token_takes_int32(seen: RelationView) -> Found:
    """Ids of 32 bits get a vector each, as others do; which one is for other checks."""
    for call in seen.calls("TokenEmbedding.forward", "token_int32_new"):
        if not _tells_apart(call) and not _any_used(seen, "TokenEmbedding", "token_int32"):
            yield f"`{call.where}` does not give one vector for each id."


def token_table_is_learnable(seen: RelationView) -> Found:
    """A new TokenEmbedding has one learnable table."""
    for call in seen.calls("TokenEmbedding", "token_sizes"):
        yield from _learnable(call, [call.args])


def token_table_is_normal(seen: RelationView) -> Found:
    """All numbers of new token tables come from N(0, 0.02^2)."""
    for call in seen.calls("TokenEmbedding", "token_sizes"):
        yield from _normal(call, call.args, "token table")


def position_rows_are_used(seen: RelationView) -> Found:
    """What a PositionalEmbedding gives are numbers of its table, right or wrong."""
    if not _any_used(seen, "PositionalEmbedding", "position"):
        yield _unused(seen.calls("PositionalEmbedding.forward", "position_new")[0])


def position_table_is_learnable(seen: RelationView) -> Found:
    """A new PositionalEmbedding has one learnable table."""
    for call in seen.calls("PositionalEmbedding", "position_sizes"):
        yield from _learnable(call, [call.args])


def position_table_is_normal(seen: RelationView) -> Found:
    """All numbers of new position tables come from N(0, 0.02^2)."""
    for call in seen.calls("PositionalEmbedding", "position_sizes"):
        yield from _normal(call, call.args, "position table")


def both_rows_are_used(seen: RelationView) -> Found:
    """What a GPT2Embeddings gives are numbers of its tables, right or wrong; or a vector of its own
    for each token at each place."""
    new = seen.calls("GPT2Embeddings.forward", "both_new")
    if not (_any_used(seen, "GPT2Embeddings", "both") or all(_tells_apart(c, True) for c in new)):
        yield _unused(new[0])


def both_tables_are_learnable(seen: RelationView) -> Found:
    """A new GPT2Embeddings has both learnable tables."""
    for call in seen.calls("GPT2Embeddings", "both_sizes"):
        rows, positions, columns = call.args
        yield from _learnable(call, [(rows, columns), (positions, columns)])


def both_tables_are_normal(seen: RelationView) -> Found:
    """Both new tables come from N(0, 0.02^2), or are those of the parts that are stood in."""
    stood_in = {part.name for part in seen.parts}
    for number, call in enumerate(seen.calls("GPT2Embeddings", "both_sizes")):
        rows, positions, columns = call.args
        sizes = {"TokenEmbedding": (rows, columns), "PositionalEmbedding": (positions, columns)}
        for part, size in sizes.items():
            name = "token table" if part == "TokenEmbedding" else "position table"
            if part in stood_in and seen.reference is not None:
                ours = seen.reference.calls("GPT2Embeddings", "both_sizes")[number].table(*size)
                if _matches(seen, call.table(*size), ours):
                    continue
            if part not in stood_in or seen.reference is not None:
                yield from _normal(call, size, name)


def _any_used(seen: RelationView, name: str, inputs: str) -> bool:
    """Whether a module with our numbers, or a new one, gives numbers of its own tables."""
    ours = seen.calls(f"{name}.forward", f"{inputs}_sentences")
    new = seen.calls(f"{name}.forward", f"{inputs}_new")
    return all(_uses_ours(call) for call in ours) or any(_uses_own(call) for call in new)


def _unused(call: CallView) -> str:
    value = call.held.value
    if isinstance(value, Opaque):
        return f"`{call.where}` returns no vectors yet, so there is nothing to judge."
    if value is None:
        return f"`{call.where}` returns None. Is a `return` missing?"
    if isinstance(value, Items):
        return f"`{call.where}` returns a {value.kind} of {len(value.items)}, not one tensor."
    return (
        f"The result of `{call.where}` is unrelated to the rows of the module's table, so the "
        "table alone earns nothing yet."
    )


def _learnable(call: CallView, sizes: Sequence[Sequence[int]]) -> Found:
    entries = call.held.module().entries
    shapes = ", ".join(str(list(e.array.shape)) for e in entries[:4])
    for rows, columns in sizes:
        tables = _tables(entries, rows, columns)
        if not tables:
            yield (
                f"`{call.where}` has no table of shape [{rows}, {columns}] among its parameters; "
                f"it has {shapes or 'no parameter and no buffer at all'}."
            )
        elif not any(entry.role == "parameter" for entry in tables):
            yield (
                f"The table [{rows}, {columns}] of `{call.where}` is a buffer, so it is never "
                "trained. Make it an nn.Parameter, or use nn.Embedding."
            )
        elif not any(entry.learnable for entry in tables):
            yield (
                f"The table [{rows}, {columns}] of `{call.where}` has no gradient, so it is never "
                "trained. Leave requires_grad as it is."
            )


def _tables(entries: Sequence[Entry], rows: int, columns: int) -> list[Entry]:
    """The tables of this shape, upright ones first."""
    forms = ((rows, columns), (columns, rows), (1, rows, columns))
    every = ([e for e in entries if e.array.shape == shape] for shape in forms)
    return next((found for found in every if found), [])


def _normal(call: CallView, size: Sequence[int], name: str) -> Found:
    numbers = _table_of(call, size).double()
    where = f"The {name} of a new `{call.where}`"
    if not bool(torch.isfinite(numbers).all()):
        yield f"{where} contains numbers that are not finite."
        return
    mean, std, excess = _moments(numbers)
    room = SIGMAS * STD / math.sqrt(numbers.numel())
    if not abs(std - STD) <= room / math.sqrt(2):
        yield f"{where} has a standard deviation of {std:.4g}; it should be {STD}."
    elif not abs(mean - MEAN) <= room:
        yield f"{where} has a mean of {mean:.4g}; it should be {MEAN:g}."
    elif not abs(excess) <= KURTOSIS:
        yield (
            f"{where} has the right mean and spread, but its numbers are not normally distributed "
            f"(excess kurtosis {excess:.2f}; a normal distribution has 0, a uniform one -1.2)."
        )
    elif not bool(numbers.any(dim=1).all()):
        yield f"{where} has a row of zeros. All rows must be drawn, that of id 0 too."
    elif len(torch.unique(numbers, dim=0)) < len(numbers):
        yield f"{where} has rows that are equal. Draw every number separately."


def _table_of(call: CallView, size: Sequence[int]) -> torch.Tensor:
    """The table of this size; where there is none, one of as many columns, whose size is for other
    checks."""
    try:
        return call.table(*size)
    except Wrong:
        shapes = [e for e in call.held.module().entries if e.array.shape[1:] == (size[1],)]
        if len(shapes) != 1:
            raise
        only: torch.Tensor = to_tensor(shapes[0].array)
        return only


def _moments(numbers: torch.Tensor) -> tuple[float, float, float]:
    """Mean, standard deviation and excess kurtosis."""
    mean = numbers.mean()
    around = numbers - mean
    variance = (around**2).mean()
    excess = (around**4).mean() / variance.clamp_min(1e-300) ** 2 - 3
    return float(mean), float(variance.sqrt()), float(excess)


def _real(call: CallView) -> torch.Tensor | None:
    """The result as float64, where it is a tensor of finite real numbers that are not all alike."""
    try:
        result = call.tensor()
    except Wrong:
        return None
    if result.is_complex() or not result.is_floating_point() or result.numel() < 2:
        return None
    numbers = result.double()
    return numbers if bool(torch.isfinite(numbers).all()) else None


def _uses_ours(call: CallView) -> bool:
    """Whether each vector of the result is like some row of one of the tables that we set.

    So that a module which returns nothing of interest earns nothing for its tables.
    """
    layer, result = call.args[0], _real(call)
    assert isinstance(layer, ConstructedObject)
    if result is None:
        return False
    return any(_built_from(result, to_tensor(slot.array).double()) for slot in layer.slots)


def _uses_own(call: CallView) -> bool:
    """The same for a new module and the tables that it has itself, of whatever size and role; or
    the numbers are those of its tables, in whatever order."""
    result = _real(call)
    if result is None or not call.after:
        return False
    try:
        tables = [to_tensor(e.array).double() for e in call.after[0].module().entries]
    except Wrong:
        return False
    tables = [one.reshape(-1, one.shape[-1]) for one in tables if one.dim() > 1]
    if any(_built_from(result, table) for table in tables if table.shape[1] > 1):
        return True
    numbers = torch.unique(result)
    held = torch.cat([one.flatten() for one in tables]) if tables else numbers[:0]
    return len(numbers) > 1 and bool(torch.isin(numbers, held).all())


def _tells_apart(call: CallView, places: bool = False) -> bool:
    """Whether equal ids get equal vectors, and other ids others; or equal ids at equal places."""
    ids, result = call.args[1], _real(call)
    if result is None or result.shape[:-1] != ids.shape or not result.shape[-1]:
        return False
    flat = (ids * ids.shape[-1] + torch.arange(ids.shape[-1]) if places else ids).flatten()
    apart = torch.cdist(result.flatten(0, -2), result.flatten(0, -2), p=math.inf)
    same = flat[:, None] == flat[None, :]
    close = apart <= 1e-6 * float(result.abs().max())
    return bool((close == same).all())


def _built_from(result: torch.Tensor, table: torch.Tensor) -> bool:
    width = table.shape[1]
    if result.dim() == 0 or result.shape[-1] < width or result.numel() == 0:
        return False
    sides = (result[..., :width], result[..., -width:])
    found = (_likeness(side.reshape(-1, width), table) for side in sides)
    return any(float(like.mean()) > BUILT for like in found)


def _likeness(vectors: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """How well each vector correlates with the row of a table that it is most like, 0 to 1."""
    units = []
    for rows in (vectors, table):
        around = rows - rows.mean(dim=1, keepdim=True)
        units.append(around / around.norm(dim=1, keepdim=True).clamp_min(1e-12))
    return (units[0] @ units[1].T).abs().amax(dim=1)


# ------------------------------------------------------------------ positions


def position_row_is_row_zero(seen: RelationView) -> Found:
    """`position_row_0` is row 0 of the student's own table, of whatever size it is."""
    table = _own_table(seen)
    actual = seen.tensor("position_row_0", shape=(table.shape[1],), leading_ones=True)
    if not _told_apart(table):
        yield (
            "`position_table` has rows that are equal, nearly equal or not finite, so it is "
            "impossible to see which row was taken. Do not change its initial numbers."
        )
        return
    for row in range(len(table)):
        if next(iter(seen.differs("", actual, table[row])), None) is None:
            if row:
                yield (
                    f"`position_row_0` is row {row} of your table. The first token of a sequence "
                    "is at position 0, whatever its id is."
                )
            return
    yield "`position_row_0` is none of the rows of `position_table`; it should be row 0."
    yield from seen.differs("position_row_0", actual, table[0])


def position_row_is_from_the_table(seen: RelationView) -> Found:
    """`position_row_0` holds numbers of the student's own table, whichever ones."""
    table, value = _own_table(seen), seen.tensor("position_row_0")
    held = torch.isin(value.double(), table.double()) if not value.is_complex() else None
    if held is None or not _told_apart(table) or len(torch.unique(value)) < 2 or not held.all():
        yield (
            "`position_row_0` does not contain numbers of `position_table`, or the rows of the "
            "table are all equal."
        )


def _told_apart(table: torch.Tensor) -> bool:
    """Whether the rows are real, finite and differ by clearly more than what passes for equal."""
    if table.is_complex() or not bool(torch.isfinite(table).all()):
        return False
    rows = table.double()
    apart = torch.cdist(rows, rows, p=math.inf).fill_diagonal_(math.inf)
    return bool((apart > APART * max(1.0, float(rows.abs().max()))).all())


def _own_table(seen: RelationView) -> torch.Tensor:
    """The student's table [16, 8] as it is; one of another size will do here."""
    try:
        entries = seen.module("position_table").entries
    except Wrong:
        return seen.table("position_table", 16, 8)
    for entry in entries:
        if len(entry.array.shape) == 2 and entry.array.shape[0] > 1:
            return to_tensor(entry.array)
    return seen.table("position_table", 16, 8)


def position_example(seen: RelationView) -> Found:
    """Rows 0 to T-1, in any shape that broadcasts: the table that can be read by eye."""
    yield from _position_rows(seen, "position_example")


def position_values(seen: RelationView) -> Found:
    """Rows 0 to T-1 for hidden tables, shorter than the table is long."""
    yield from _position_rows(seen, "position_cases")


def position_full_length(seen: RelationView) -> Found:
    """Sequences of exactly max_seq_len tokens get the whole table."""
    yield from _position_rows(seen, "position_full")


def _position_rows(seen: RelationView, inputs: str) -> Found:
    for call in seen.calls("PositionalEmbedding.forward", inputs):
        layer, ids = call.args
        assert isinstance(layer, ConstructedObject)
        table = to_tensor(layer.slots[0].array)
        expected = table[: ids.shape[1]]
        actual = _broadcast(_single(call), (*ids.shape, table.shape[1]))
        if actual is None:
            yield (
                f"`{call.where}` returns the shape {list(call.tensor().shape)}, which does not "
                f"broadcast to [B, T, D] = {[*ids.shape, table.shape[1]]}."
            )
            return
        wrong = list(seen.differs(f"{call.where}", actual, expected.expand_as(actual)))
        if wrong:
            yield f"`{call.where}`: {_position_slip(seen, actual, table, ids)}"
            yield from wrong
            return


def _broadcast(actual: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor | None:
    """The result as [B, T, D]; None where it has another length, or no axis of positions."""
    if actual.dim() < 2 or actual.dim() > 3 or tuple(actual.shape[-2:]) != shape[-2:]:
        return None
    return actual.expand(shape) if actual.dim() == 2 or actual.shape[0] in (1, shape[0]) else None


def _position_slip(
    seen: RelationView, actual: torch.Tensor, table: torch.Tensor, ids: torch.Tensor
) -> str:
    length = ids.shape[1]
    if _matches(seen, actual, table[:1].expand_as(actual)):
        return "every position gets row 0; position p needs row p."
    if length < len(table) and _matches(seen, actual, table[1 : length + 1].expand_as(actual)):
        return "position 0 gets row 1. Positions and rows are counted from 0."
    if int(ids.max()) < len(table) and _matches(seen, actual, table[ids]):
        return "the tokens' ids were used as positions."
    return "position p does not get row p of the table."


def position_keeps(seen: RelationView) -> Found:
    """The rows keep their dtype, and neither the table nor the ids are changed."""
    for call in seen.calls("PositionalEmbedding.forward", "position_kept"):
        _single(call)
        yield from _float32_tensor(call)
        yield from _unchanged(call)


def _float32_tensor(call: CallView) -> Found:
    dtype = getattr(call.held.value, "dtype", None)
    if dtype != "float32":
        yield Mismatch(call.where, "dtype", "float32", dtype or type(call.result).__name__)


def _unchanged(call: CallView) -> Found:
    """The ids and the tables that we set; what else a module keeps is its own matter."""
    layer = call.args[0]
    assert isinstance(layer, ConstructedObject)
    if 1 in call.changed:
        yield f"`{call.where}` changes token_ids in place. Create a new tensor instead."
    every = (to_tensor(e.array).squeeze(0) for e in call.after[0].module().entries)
    held = [one for one in every if one.dim() == 2]
    for table in (to_tensor(slot.array) for slot in layer.slots):
        if not any(torch.equal(one, table) or torch.equal(one.T, table) for one in held):
            yield (
                f"`{call.where}` changes the module's table in place. Create a new tensor instead."
            )


def _single(call: CallView) -> torch.Tensor:
    """The result, which is one tensor. Raises ``Wrong`` for several of them in a tuple."""
    value = call.held.value
    if isinstance(value, Items) and any(isinstance(one, Array) for one in value.items):
        several = f"a {value.kind} of {len(value.items)}"
        text = f"`{call.where}` returns {several}; it should be one tensor."
        raise Wrong(Mismatch(call.where, "other", "", "", text=text))
    return call.tensor()


# ------------------------------------------------------------------ token plus position


def both_example(seen: RelationView) -> Found:
    """Token row plus position row."""
    yield from _sums(seen, "both_example")


def both_values(seen: RelationView) -> Found:
    """The same for other sizes."""
    yield from _sums(seen, "both_cases")


def both_padding(seen: RelationView) -> Found:
    """The same where sequences are filled up with an id, 0 or another, that also stands inside."""
    yield from _sums(seen, "both_padded")


def both_full_length(seen: RelationView) -> Found:
    """The same for sequences of exactly max_seq_len tokens."""
    yield from _sums(seen, "both_full")


def both_keeps(seen: RelationView) -> Found:
    """The result is float32, and neither the tables nor the ids are changed in place."""
    for call in seen.calls("GPT2Embeddings.forward", "both_kept"):
        _single(call)
        yield from _float32_tensor(call)
        yield from _unchanged(call)


def _sums(seen: RelationView, inputs: str) -> Found:
    """Token row plus position row; with stand-ins for parts, what the reference gives with them."""
    calls = seen.calls("GPT2Embeddings.forward", inputs)
    for number, call in enumerate(calls):
        layer, ids = call.args
        assert isinstance(layer, ConstructedObject)
        tokens, positions = (to_tensor(one.array) for one in layer.slots)
        vectors = tokens[ids]
        rows = positions[: ids.shape[1]].expand_as(vectors)
        expected = vectors + rows
        if seen.parts:
            if seen.reference is None:
                continue
            reference = seen.reference.calls("GPT2Embeddings.forward", inputs)
            expected = reference[number].tensor()
        actual = _single(call)
        if not _matches(seen, actual, expected):
            yield f"`{call.where}`: {_sum_slip(seen, actual, vectors, rows)}"
            if actual.shape == vectors.shape:
                yield from seen.differs(call.where, actual, expected)


def _sum_slip(
    seen: RelationView, actual: torch.Tensor, vectors: torch.Tensor, rows: torch.Tensor
) -> str:
    """What the result looks like, in one sentence."""
    width = vectors.shape[-1]
    if actual.shape == (*vectors.shape[:-1], 2 * width):
        return "the result is twice as wide as the tables. Add the vectors; do not append them."
    if actual.shape != vectors.shape:
        return f"the shape is {list(actual.shape)}; it should be {list(vectors.shape)}."
    looks = (
        (vectors, "these are the token rows alone; the positions were not added."),
        (rows, "these are the position rows alone; the tokens were not added."),
        (
            vectors * math.sqrt(width) + rows,
            "the token rows were multiplied by sqrt(D). GPT-2 adds them as they are.",
        ),
        (vectors * rows, "the two rows were multiplied. They are added."),
        (vectors + rows[:, :1], "every position got row 0; position t needs row t."),
        (vectors - rows, "the position rows were subtracted. They are added."),
    )
    for candidate, sentence in looks:
        if _matches(seen, actual, candidate):
            return sentence
    return "this is not the sum of each token's row and the row of its position, 0 to T-1."


def _matches(seen: RelationView, actual: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether two tensors agree within the check's tolerance, shape included."""
    if actual.shape != expected.shape:
        return False
    return next(iter(seen.differs("", actual, expected)), None) is None


# ------------------------------------------------------------------ neighbours and analogies


class Ranking(NamedTuple):
    """The right cosine of every word, and the words that must not be listed."""

    cosines: dict[str, float]
    inputs: tuple[str, ...]

    def others(self) -> list[float]:
        """The cosines of all words that may be listed, best first."""
        return sorted((c for w, c in self.cosines.items() if w not in self.inputs), reverse=True)


def similar_example(seen: RelationView) -> Found:
    """Form and cosines of the neighbours in a table made by hand."""
    yield from _scores(seen, "find_similar_tokens", "similar_example")


def similar_scores(seen: RelationView) -> Found:
    """Different tokens, each with its own cosine; neither order nor number is looked at."""
    yield from _scores(seen, "find_similar_tokens", "similar_cases")


def similar_ranking(seen: RelationView) -> Found:
    """The best tokens, best first; whether the word itself is among them is not looked at."""
    yield from _order(seen, "find_similar_tokens", "similar_cases")


def similar_count(seen: RelationView) -> Found:
    """top_k different words, right or wrong."""
    yield from _counted(seen, "find_similar_tokens", "similar_cases")


def similar_without_word(seen: RelationView) -> Found:
    """The word is not in its own list."""
    yield from _without_inputs(seen, "find_similar_tokens", "similar_cases")


def similar_twins_stay(seen: RelationView) -> Found:
    """The word is left out by its id: its twin is listed, the word is not."""
    yield from _without_inputs(seen, "find_similar_tokens", "similar_twins", twins=True)


def similar_lists_words(seen: RelationView) -> Found:
    """Words of the tokenizer are listed, right or wrong ones."""
    yield from _words_are_listed(seen, "find_similar_tokens", "similar_example")


def similar_leaves_table(seen: RelationView) -> Found:
    """The table is as it was."""
    yield from _leaves_table(seen, "find_similar_tokens", "similar_cases", 1)


def analogy_example(seen: RelationView) -> Found:
    """Form and cosines of analogies in a table made by hand."""
    yield from _scores(seen, "word_analogy", "analogy_example")


def analogy_scores(seen: RelationView) -> Found:
    """Different tokens, each with its cosine with a - b + c; the order is not looked at."""
    yield from _scores(seen, "word_analogy", "analogy_cases")


def analogy_ranking(seen: RelationView) -> Found:
    """The best tokens, best first; whether inputs are among them is not looked at."""
    yield from _order(seen, "word_analogy", "analogy_cases")


def analogy_count(seen: RelationView) -> Found:
    """top_k different words, right or wrong."""
    yield from _counted(seen, "word_analogy", "analogy_cases")


def analogy_default(seen: RelationView) -> Found:
    """Five of them where top_k is not given."""
    yield from _counted(seen, "word_analogy", "analogy_default")


def analogy_without_inputs(seen: RelationView) -> Found:
    """None of a, b, c is listed, though they are the nearest tokens of all."""
    yield from _without_inputs(seen, "word_analogy", "analogy_near_inputs")


def analogy_lists_words(seen: RelationView) -> Found:
    """Words of the tokenizer are listed, right or wrong ones."""
    yield from _words_are_listed(seen, "word_analogy", "analogy_example")


def analogy_leaves_table(seen: RelationView) -> Found:
    """The table is as it was."""
    yield from _leaves_table(seen, "word_analogy", "analogy_cases", 3)


def _ways(call: CallView) -> tuple[Ranking, ...]:
    """What is right for a call; an analogy has two accepted ways (rows as they are, or unit)."""
    words, table, inputs = _question(call)
    rows = [words.index(word) for word in inputs]
    unit = table / table.norm(dim=1, keepdim=True)
    if len(inputs) == 1:
        targets = [unit[rows[0]]]
    else:
        a, b, c = rows
        targets = [one[a] - one[b] + one[c] for one in (table, unit)]
    found = []
    for target in targets:
        cosines = unit @ (target / target.norm())
        found.append(Ranking(dict(zip(words, cosines.tolist(), strict=True)), inputs))
    return tuple(found)


def _question(call: CallView) -> tuple[list[str], torch.Tensor, tuple[str, ...]]:
    """The vocabulary, the table in float64, and the words that were asked about."""
    table = next(one for one in call.args if isinstance(one, torch.Tensor)).double()
    tokenizer = next(one for one in call.args if isinstance(one, ConstructedObject))
    asked = tuple(one for one in call.args if isinstance(one, str))
    return list(from_wire(tokenizer.args[0])), table, asked


def _top_k(call: CallView) -> int:
    last = call.args[-1]
    return last if isinstance(last, int) else 5


def _one_way(calls: list[CallView], judge: Any) -> Found:
    """What ``judge(call, ranking)`` finds, by the accepted way that goes furthest."""
    ways = [_ways(call) for call in calls]
    best: list[str] | None = None
    for number in range(len(ways[0])):
        found: list[str] = []
        for call, several in zip(calls, ways, strict=True):
            found += judge(call, several[number])
        if best is None or len(found) < len(best):
            best = found
    yield from best or ()


def _scores(seen: RelationView, target: str, inputs: str) -> Found:
    yield from _one_way(seen.calls(target, inputs), _wrong_scores)


def _wrong_scores(call: CallView, right: Ranking) -> list[str]:
    entries = _entries(call.result)
    if not entries and (entries is None or _top_k(call) > 1):
        what = "is not a list of pairs" if entries is None else "is empty"
        return [f"`{call.where}`: the result {what}; it should hold pairs (token, score)."]
    if len({token for token, _ in entries}) < len(entries):
        return [f"`{call.where}`: a token is listed twice."]
    for token, score in entries:
        if token not in right.cosines:
            return [f"`{call.where}`: {token[:40]!r} is not one of the tokenizer's words."]
        if not abs(score - right.cosines[token]) <= ALLOWED:
            return [
                f"`{call.where}`: the score of {token!r} is {score:.4f}; its cosine is "
                f"{right.cosines[token]:.4f}."
            ]
    return []


def _order(seen: RelationView, target: str, inputs: str) -> Found:
    yield from _one_way(seen.calls(target, inputs), _wrong_order)


def _wrong_order(call: CallView, right: Ranking) -> list[str]:
    tokens = _tokens(call.result)
    if not tokens and (tokens is None or _top_k(call) > 1):
        return [f"`{call.where}`: the result lists no tokens; it should be pairs (token, score)."]
    tokens = [token for token in tokens if token not in right.inputs]
    if len(set(tokens)) < len(tokens):
        return [f"`{call.where}`: a token is listed twice."]
    best = right.others()
    for place, token in enumerate(tokens):
        if not abs(right.cosines.get(token, math.nan) - best[place]) <= ALLOWED:
            return [
                f"`{call.where}`: {token[:40]!r} at rank {place + 1} does not have the "
                f"{_ordinal(place + 1)} cosine. Look at the order, at the lengths of the rows, "
                "and at the rows that were compared."
            ]
    return []


def _ordinal(place: int) -> str:
    named = {1: "largest", 2: "2nd largest", 3: "3rd largest"}
    return named.get(place, f"{place}th largest")


def _counted(seen: RelationView, target: str, inputs: str) -> Found:
    """As many different words of the tokenizer as were asked for."""
    for call in seen.calls(target, inputs):
        tokens, k = _tokens(call.result), _top_k(call)
        known = _ways(call)[0].cosines
        if tokens is None or not all(token in known for token in tokens):
            yield f"`{call.where}`: the result is not a list of pairs (token, score)."
        elif len(set(tokens)) != k or len(tokens) != k:
            number = len(set(tokens))
            several = "1 different token" if number == 1 else f"{number} different tokens"
            yield f"`{call.where}`: the result lists {several}; it should list {k}."


def _without_inputs(seen: RelationView, target: str, inputs: str, *, twins: bool = False) -> Found:
    for call in seen.calls(target, inputs):
        tokens, right = _tokens(call.result) or [], _ways(call)[0]
        words = [token for token in tokens if token in right.cosines]
        listed = [word for word in right.inputs if word in tokens]
        if listed:
            yield (
                f"`{call.where}`: {', '.join(map(repr, listed))} is in the list. Leave out the "
                "words that were passed, by their ids."
            )
        elif not words and _top_k(call) > 1:
            yield f"`{call.where}`: no word of the tokenizer is listed."
        elif twins and not any(right.cosines[w] >= 1 - ALLOWED for w in words):
            yield (
                f"`{call.where}`: the token that has exactly the direction of "
                f"{right.inputs[0]!r} is missing. Leave out the id of the word, and nothing else."
            )


def _words_are_listed(seen: RelationView, target: str, inputs: str) -> Found:
    for call in seen.calls(target, inputs):
        tokens = _tokens(call.result) or []
        if not any(token in _ways(call)[0].cosines for token in tokens):
            yield f"`{call.where}`: no word of the tokenizer is listed."


def _leaves_table(seen: RelationView, target: str, inputs: str, place: int) -> Found:
    for call in seen.calls(target, inputs):
        if place in call.changed:
            yield (
                f"`{call.where}` changes the table in place, so the next call gets a different "
                "table. Create a new tensor."
            )
            return


def _entries(result: object) -> list[tuple[str, float]] | None:
    """A list of (token, score), from pairs in either order or a dictionary; None for others."""
    pairs = list(result.items()) if isinstance(result, dict) else result
    if not isinstance(pairs, list | tuple):
        return None
    entries = []
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            return None
        token, score = pair if isinstance(pair[0], str) else (pair[1], pair[0])
        number = _score(score)
        if not isinstance(token, str) or number is None:
            return None
        entries.append((token.replace("\u0120", " ").strip(), number))
    return entries


def _tokens(result: object) -> list[str] | None:
    """The words that a result lists, with scores or without; None where it lists other things."""
    entries = _entries(result)
    if entries is not None:
        return [token for token, _ in entries]
    if not isinstance(result, list | tuple) or not all(isinstance(one, str) for one in result):
        return None
    return [one.replace("\u0120", " ").strip() for one in result]


def _score(value: object) -> float | None:
    """A real number from a float, an int or a one-element array; None for anything else."""
    if isinstance(value, torch.Tensor):
        return float(value) if value.numel() == 1 and value.is_floating_point() else None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return float(value)
    return None


# ------------------------------------------------------------------ lines of a file


def record_lines_are_read(seen: RelationView) -> Found:
    """Good lines give vectors of the model, right or wrong ones.

    So that a function which refuses all that it does not know earns nothing for refusing.
    """
    for call in seen.calls("embed_jsonl_record", "record_lines"):
        model = call.args[1]
        assert isinstance(model, ConstructedObject)
        result = call.tensor()
        table = to_tensor(model.args[0])  # type: ignore[arg-type]
        real = not result.is_complex() and bool(torch.isfinite(result.double()).all())
        if not real or not _built_from(result.double(), table.double()):
            yield f"The result of `{call.where}` is unrelated to the model's vectors."


# ------------------------------------------------------------------ too long


def truncated_keeps_dtype(seen: RelationView) -> Found:
    """The result has the dtype of the model; a conversion to half precision changes no more."""
    reference = seen.reference or seen
    every = (one.calls("embed_truncated", "truncated_wide") for one in (seen, reference))
    for call, right in zip(*every, strict=True):
        expected, result = right.tensor(), _real(call)
        wanted = getattr(right.held.value, "dtype", "")
        dtype = getattr(call.held.value, "dtype", type(call.result).__name__)
        if result is None or result.dim() != 3 or not _coarsely(result, expected):
            yield f"The result of `{call.where}` is not what the model returns."
        elif dtype != wanted:
            yield Mismatch(call.where, "dtype", wanted, dtype)


def _coarsely(actual: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether the tokens that both have agree, up to a conversion to half precision."""
    length = min(actual.shape[1], expected.shape[1])
    one, other = actual[:, :length], expected[:, :length]
    if length == 0 or one.shape != other.shape:
        return False
    return bool(((one - other).abs() <= COARSE * (1 + other.abs())).all())
