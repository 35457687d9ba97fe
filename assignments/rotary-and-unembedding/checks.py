"""Relations of `rotary-and-unembedding`: what must hold between values of one run.

Each relation yields what is wrong, as sentences for the student. Two forms of a rotary table
are accepted (complex, or a pair of cosines and sines), and a mistake of the rotary functions is
taken as given in the modules that use them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from autograder.judging.checks.relation import CallView, RelationView, Wrong
from autograder.judging.verdict import Mismatch
from autograder.wire.tensors import to_tensor
from autograder.wire.values import Array, Entry, Figure, Items, Module

Found = Iterator[str | Mismatch]

PARTS = {"EmbeddingLayer": "layer", "NanoChatEmbeddings": "model"}
CORPUS = 24  # tokens of the corpus; the loss of a new model is ln 24
LAST = 20  # losses at the end that are looked at
SMALL = 0.03  # nn.Linear(128, 1000) is uniform within 0.088
POINTS = 10  # the least number of points of a scatter


# ------------------------------------------------------------------ precompute_freqs_cis


def turns_are_right(seen: RelationView) -> Found:
    """Every table holds cos(p f) + i sin(p f), in either form."""
    inputs = seen.check.calls[0].inputs
    calls = seen.calls("precompute_freqs_cis", inputs)
    right = (seen.reference or seen).calls("precompute_freqs_cis", inputs)
    pairs = zip(calls, right, strict=True)
    wrong = [said for call, other in pairs for said in _wrong_turns(seen, call, other)]
    if wrong:
        counted = "is wrong:" if len(wrong) == 1 else "are wrong. The first:"
        yield f"{len(wrong)} of {len(calls)} tables {counted} {wrong[0]}"


def _wrong_turns(seen: RelationView, call: CallView, reference: CallView) -> Iterator[str]:
    dim, end, theta = call.args
    actual, expected = (_turns_of(one, end, dim // 2) for one in (call, reference))
    off = ~((actual - expected).abs() <= _atol(seen))
    if bool(off.any()):
        p, i = (int(n) for n in off.nonzero()[0])
        yield (
            f"with dim = {dim}, end = {end} and theta = {theta:g}, {int(off.sum())} of "
            f"{off.numel()} entries are wrong. At [{p}, {i}], position {p} and pair {i}, it "
            f"should be {', not '.join(_texts_apart(expected[p, i], actual[p, i]))}."
        )


def turns_are_rotations(seen: RelationView) -> Found:
    """Lengths are 1, position 0 does not turn, position p turns p times as far as position 1."""
    for call in seen.calls("precompute_freqs_cis", "turns_rotation"):
        dim, end, _ = call.args
        actual = _turns_of(call, end, dim // 2)
        if not bool(((actual.abs() - 1).abs() <= 1e-4).all()):
            yield "An entry cos(a) + i·sin(a) has length 1, whatever the angle; some here do not."
        elif not bool(((actual[0] - 1).abs() <= 1e-4).all()):
            yield "Row 0 should be 1 + 0i everywhere: position 0 is not rotated. Count from 0."
        elif not bool(((actual[1] - 1).abs() > 1e-4).all()):
            yield "Row 1 should be rotated in every pair; some of its angles are 0."
        elif not bool(((actual - actual[1] ** torch.arange(end)[:, None]).abs() <= 1e-3).all()):
            yield "Position p should be rotated p times as far as position 1, in every pair."


def turns_have_the_type(seen: RelationView) -> Found:
    """complex64, or a pair of float32. The numbers are not looked at."""
    for number, call in enumerate(seen.calls("precompute_freqs_cis", "turns_type"), 1):
        value = call.held.value
        parts = value.items if isinstance(value, Items) else (value,)
        wanted = "float32" if isinstance(value, Items) else "complex64"
        for part in parts:
            if not isinstance(part, Array):
                yield f"The result of call {number} is not a tensor, so it has no dtype."
                return
            stacked = part.dtype == "float32" and len(part.shape) == 3
            if part.dtype != wanted and not stacked:
                yield Mismatch(f"result of call {number}", "dtype", wanted, part.dtype)


def _turns_of(call: CallView, end: int, pairs: int) -> torch.Tensor:
    """A table of turns as complex128 [end, pairs], whichever form it has."""
    found = call.tensor()
    if found.is_complex():
        return call.tensor(shape=(end, pairs)).to(torch.complex128)
    if tuple(found.shape) == (2, end, pairs):
        return torch.complex(found[0].double(), found[1].double())
    several = len(found) if isinstance(call.held.value, Items) and found.dim() > 1 else 0
    gave = f"{several} real tables, each" if several else "real numbers"
    text = (
        f"{call.where} gave {gave} of shape {list(found.shape[1 if several else 0 :])}. It should "
        f"be complex, of shape [{end}, {pairs}], or a pair (cos, sin) of two such tables."
    )
    raise Wrong(Mismatch(call.where, "other", "complex numbers or a pair", "others", text=text))


def _texts_apart(*numbers: torch.Tensor) -> list[str]:
    """Complex numbers with three decimals, or as many as it takes to see that they differ."""
    texts = [""]
    for digits in (3, 6, 9, 17):
        texts = [_text(complex(number), digits) for number in numbers]
        if len(set(texts)) == len(texts):
            break
    return texts


def _text(value: complex, digits: int) -> str:
    real, imag = (round(part, digits) + 0.0 for part in (value.real, value.imag))
    return f"{real:.{digits}f}{imag:+.{digits}f}i"  # 0.0 was added: no zero is negative


# ------------------------------------------------------------------ apply_rotary_emb


def turning_is_a_rotation(seen: RelationView) -> Found:
    """Position 0 stays, later positions move, norms are kept; for T == H too."""
    for call in _either(seen, "turned_rotation"):
        x = call.args[0].double()
        actual = _real(call, x)
        first = f"For x of shape {list(x.shape)}: "
        if not _near(actual[:, 0], x[:, 0], 1e-5):
            yield (
                f"{first}position 0 of some head or sequence was changed. It has the angle 0 for "
                "every head. Are the rows of freqs_cis aligned with axis 1 of x?"
            )
        elif not _near(actual.norm(dim=-1), x.norm(dim=-1), 1e-4):
            yield f"{first}the norm of some vectors changed; a rotation keeps lengths."
        elif not bool(((actual - x)[:, 1:].abs().amax(dim=-1) > 1e-3).all()):
            yield f"{first}some vectors after position 0 were not rotated."


def turning_is_relative(seen: RelationView) -> Found:
    """q at p times k at q depends on p - q, and it does depend on it."""
    for call in _either(seen, "turned_relative"):
        x = call.args[0].double()
        actual = _real(call, x)
        dots = torch.einsum("phd,qhd->hpq", actual[0], actual[1])
        first = f"For x of shape {list(x.shape)}: "
        if not _near(dots[:, 1:, 1:], dots[:, :-1, :-1], 1e-4):
            yield (
                f"{first}if two vectors both move by one position, their dot product should stay "
                "the same. It does not: it must depend only on the distance."
            )
        elif not bool((dots.amax(dim=(1, 2)) - dots.amin(dim=(1, 2)) > 1e-2).all()):
            yield f"{first}dot products are the same at every distance: positions have no effect."


def turning_keeps_the_type(seen: RelationView) -> Found:
    """The result has the type of x, and roughly the right numbers."""
    room = {"bfloat16": 0.06, "float16": 0.01, "float32": 1e-4, "float64": 1e-4}
    reference = (seen.reference or seen).calls("apply_rotary_emb", "turned_types")
    for call, right in zip(_either(seen, "turned_types"), reference, strict=True):
        wanted = str(call.args[0].dtype).removeprefix("torch.")
        value = call.held.value
        found = value.dtype if isinstance(value, Array) else type(value).__name__
        if found != wanted:
            yield (
                f"For x of dtype {wanted} the result is {found}. Whatever dtype you compute in, "
                "the result must have the dtype of x."
            )
        elif not _near(_real(call, right.tensor()), right.tensor().double(), room[wanted]):
            yield f"For x of dtype {wanted} the numbers are further off than rounding explains."


def _either(seen: RelationView, inputs: str) -> list[CallView]:
    """The calls with complex tables, or those with pairs where only these returned."""
    complex_ones = seen.calls("apply_rotary_emb", inputs)
    pairs = seen.calls("apply_rotary_emb", f"{inputs}_pairs")
    for calls in (complex_ones, pairs):
        if all(_returned(call) for call in calls):
            return calls
    for calls in (pairs, complex_ones):
        broken = [c for c in calls if not _returned(c)]
        said = getattr(broken[0].held.value, "text", "")
    raise Wrong(Mismatch("apply_rotary_emb", "other", "a tensor", "none", text=said))


def _real(call: CallView, like: torch.Tensor) -> torch.Tensor:
    """The result as float64 numbers of the shape of ``like``."""
    found = call.tensor(shape=tuple(like.shape))
    if found.is_complex():
        text = (
            f"{call.where} returned complex numbers; the pairs should be side by side as real "
            "numbers."
        )
        raise Wrong(Mismatch(call.where, "other", "real numbers", "complex", text=text))
    return found.double()


# ------------------------------------------------------------------ the two modules


def angles_have_the_base(seen: RelationView) -> Found:
    """The angles of a module are those of theta = 10000 for its own width.

    Right end to end, or with the own table of turns, right or wrong as that is; a table that
    cannot be used says nothing about the module.
    """
    target = seen.check.calls[0].call
    stem = f"{PARTS[target.partition('.')[0]]}_base"
    whole, turned = seen.calls(target, stem), seen.calls(target, f"{stem}_turned", stood_in=True)
    tables = seen.calls("precompute_freqs_cis", f"{stem}_table")
    right = (seen.reference or seen).calls(target, stem)
    if all(_same(seen, mine, other) for mine, other in zip(whole, right, strict=True)):
        return
    half = len(tables) // 2
    for call, table, again in zip(turned, tables[:half], tables[half:], strict=True):
        dim, end, _ = table.args
        try:
            turns, others = (_turns_of(one, end, dim // 2) for one in (table, again))
        except Wrong:
            return
        if isinstance(table.held.value, Array) and not table.tensor().is_complex():
            return  # both in one tensor, of which the stand-in for turning knows nothing
        if not _near(turns.real, others.real, 1e-6):  # a table of noise
            return
        expected = _added(call, turns.real)
        actual = _vectors(call)
        if actual is None or not _near(actual, expected, 1e-4 * (1 + float(expected.abs().max()))):
            yield (
                "The angles are not those of theta = 10000 for vectors of this width, or they do "
                "not start at position 0. Everything else may be right."
            )
            return


def _at_work(seen: RelationView) -> None:
    """Raise ``Wrong`` where a module's results have nothing to do with its tables.

    A class that returns zeros has the right parameters, and changes none of them; that alone
    is no merit. Scaled, capped or unturned results go along with the right ones all the same.
    """
    for spec in seen.check.calls[-2:]:
        stood_in = bool(spec.stand_ins)
        mine = seen.calls(spec.call, spec.inputs, stood_in=stood_in)
        right = (seen.reference or seen).calls(spec.call, spec.inputs, stood_in=stood_in)
        if all(_alike(one, other) for one, other in zip(mine, right, strict=True)):
            return
    text = (
        "This earns nothing yet: the results do not follow from the tables, however they are "
        "scaled."
    )
    raise Wrong(Mismatch(seen.check.calls[-1].call, "other", "results", "others", text=text))


def _alike(mine: CallView, right: CallView) -> bool:
    """Whether two results rise and fall together, of whatever size they are; of what has one
    place alone, whether it does so with any place."""
    actual, expected = _vectors(mine), _vectors(right)
    if actual is None or expected is None:
        return False
    several = [expected]
    if expected.dim() > 1 and actual.shape == expected[:, :1].shape:
        several = list(expected.split(1, dim=1))
    both = [
        torch.stack([actual.flatten(), one.flatten()])
        for one in several
        if one.numel() == actual.numel()
    ]
    return any(bool(torch.corrcoef(pair)[0, 1] > 0.5) for pair in both)


def _added(call: CallView, cosines: torch.Tensor) -> torch.Tensor:
    """What the module returns when the turning is stood in: rows plus half the cosines."""
    slots = call.args[0].slots
    ids = call.args[1]
    vectors = to_tensor(slots[0].array).double()[ids]
    sums = vectors + (0.5 * cosines[: ids.shape[1]]).repeat_interleave(2, -1)
    return sums if len(slots) == 1 else sums @ to_tensor(slots[1].array).double().T


def _vectors(call: CallView) -> torch.Tensor | None:
    """A module's result, or the logits of a pair, as float64."""
    try:
        result = call.result
    except Wrong:
        return None
    first = result[0] if isinstance(result, list | tuple) and result else result
    fits = isinstance(first, torch.Tensor) and not first.is_complex()
    return first.double() if fits else None


def _same(seen: RelationView, mine: CallView, right: CallView) -> bool:
    actual, expected = _vectors(mine), _vectors(right)
    return actual is not None and expected is not None and _near(actual, expected, _atol(seen))


def objects_stay_as_they_are(seen: RelationView) -> Found:
    """A call of a module changes neither its parameters nor the ids and targets."""
    _at_work(seen)
    for number, call in enumerate(_that_return(seen), 1):
        changed = [index for index in call.changed if index or not _kept(call)]
        if changed:
            what = ("the parameters of the module", "token_ids", "targets")[changed[0]]
            yield (
                f"Call {number} changed {what} in place. A second call would start from different "
                "numbers."
            )
            return


def _that_return(seen: RelationView) -> list[CallView]:
    """The first calls of a check, with the own rotary parts or without; raises ``Wrong``."""
    spec = seen.check.calls[0]
    ways = [seen.calls(spec.call, spec.inputs, stood_in=stood_in) for stood_in in (False, True)]
    whole = [calls for calls in ways if all(_returned(call) for call in calls)]
    if whole:
        return whole[0]
    first = next(call for call in ways[0] if not _returned(call))
    text = str(getattr(first.held.value, "text", "")) or f"{first.where} did not return."
    raise Wrong(Mismatch(spec.call, "other", "nothing", "a result", text=text))


def _kept(call: CallView) -> bool:
    """Whether a module still holds its parameters; a buffer may be made at the first call."""
    entries = call.after[0].module().entries if call.after else ()
    held = [to_tensor(entry.array) for entry in entries if entry.role == "parameter"]
    given = [to_tensor(slot.array) for slot in call.args[0].slots]
    return all(
        any(torch.equal(one, now) or torch.equal(one.mT, now) for now in held) for one in given
    )


def layer_has_one_table(seen: RelationView) -> Found:
    """One learnable table [V, D] and nothing else that is learnable."""
    _at_work(seen)
    for call in _that_return(seen):
        rows, width, _ = call.args
        learnable = _learnable(call.module())
        if not learnable:
            yield f"{call.where} has nothing learnable; its table should be."
            return
        wrong = [e for e in learnable if sorted(e.array.shape) != sorted((rows, width))]
        if wrong or len(learnable) > 1:
            yield _too_many(call, learnable, f"one table of shape [{rows}, {width}]")
            return
        if not _varied(learnable[0]):
            yield (
                f"{call.where}: the table has the same number everywhere; leave it as "
                "nn.Embedding initializes it."
            )
            return


def model_has_two_tables(seen: RelationView) -> Found:
    """A table that is filled and a head, both [V, D], and nothing else that is learnable."""
    _at_work(seen)
    for call in _that_return(seen):
        rows, width, _ = call.args
        learnable = _learnable(call.module())
        wrong = [e for e in learnable if sorted(e.array.shape) != sorted((rows, width))]
        if wrong or len(learnable) != 2:
            wanted = f"two tables of shape [{rows}, {width}]: the tokens' and the head's"
            yield _too_many(call, learnable, wanted)
            return
        if not any(_varied(entry) for entry in learnable):
            yield (
                f"{call.where}: the token table has the same number everywhere. Only the head "
                "starts at zero; if both do, no gradient ever reaches either."
            )
            return


def head_starts_at_zero(seen: RelationView) -> Found:
    """At the start all logits are 0 and the loss is ln V, with the own rotary parts or without."""
    _at_work(seen)
    cases = (("start_cases", False), ("start_cases_alone", True))
    said = [
        list(_start(seen.calls("NanoChatEmbeddings.forward", inputs, stood_in=stood_in)))
        for inputs, stood_in in cases
    ]
    if all(said):
        yield from said[0]


def _start(calls: Sequence[CallView]) -> Found:
    for call in calls:
        vocabulary = call.args[0].args[0]
        try:
            result = call.result
        except Wrong as wrong:
            yield wrong.mismatch
            return
        whole = isinstance(result, list | tuple) and len(result) == 2
        logits = result[0] if whole else None
        if not isinstance(logits, torch.Tensor) or not _real_number(result[1]):
            yield f"{call.where} should return a pair: the logits, and one number as the loss."
            return
        if not bool((logits == 0).all()):
            yield (
                f"{call.where}: the logits of a new model should be 0 everywhere, because its "
                "head is zero."
            )
            return
        if not abs(float(result[1]) - math.log(vocabulary)) <= 1e-5:
            yield (
                f"{call.where}: the loss of a new model should be ln {vocabulary} = "
                f"{math.log(vocabulary):.4f}; it is {float(result[1]):.4f}."
            )
            return


def _real_number(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return value.numel() == 1 and not value.is_complex()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _learnable(module: Module) -> list[Entry]:
    return [e for e in module.entries if e.role == "parameter" and e.learnable]


def _varied(entry: Entry) -> bool:
    numbers = to_tensor(entry.array).double()
    return bool(numbers.std() > 1e-6)


def _too_many(call: CallView, learnable: Sequence[Entry], wanted: str) -> str:
    shapes = ", ".join(str(list(entry.array.shape)) for entry in learnable[:5]) or "nothing"
    return (
        f"{call.where} should have {wanted}, and nothing else that is learnable. It has: {shapes}."
    )


# ------------------------------------------------------------------ lm_head


def lm_head_has_no_bias(seen: RelationView) -> Found:
    """Its weight is its only tensor, [1000, 128] as nn.Linear(128, 1000) makes it."""
    module = seen.module("lm_head")
    shapes = [list(entry.array.shape) for entry in module.entries]
    if len(shapes) > 1:
        yield f"`lm_head` should have only its weight, without a bias; its shapes are {shapes}."
    elif shapes != [[1000, 128]]:
        yield (
            f"The weight of `lm_head` has the shape {shapes[0] if shapes else 'of nothing'}; a "
            "layer from width 128 to 1000 words has [1000, 128]. Which comes first in nn.Linear?"
        )


def lm_head_is_zero(seen: RelationView) -> Found:
    """All its numbers are zero."""
    for entry in seen.module("lm_head").entries:
        numbers = to_tensor(entry.array).double()
        what = "weight" if len(entry.array.shape) == 2 else "bias"
        if bool((numbers == 0).all()):
            continue
        if bool((numbers == numbers.flatten()[0]).all()):
            yield (
                f"The {what} of `lm_head` is the same number everywhere, but that number is not 0."
            )
        elif bool((numbers.abs() < SMALL).all()):
            yield f"The {what} of `lm_head` is small, but small is not zero: set it to exactly 0."
        else:
            yield f"The {what} of `lm_head` is not zero. A new layer is random: set it to zero."


# ------------------------------------------------------------------ train_steps


def training_changes_the_model(seen: RelationView) -> Found:
    """The parameters that were handed in move, and there is a loss for each batch."""
    right = seen.reference or seen
    for inputs in ("train_few", "train_new"):  # several batches, and one
        (call,), (own,) = seen.calls("train_steps", inputs), right.calls("train_steps", inputs)
        if slip := _no_training(call, own.tensor()[0]):
            yield slip
            return


def _no_training(call: CallView, first: torch.Tensor) -> str:
    """What shows that the model was not trained; ``first`` is the loss before the first step."""
    losses, still = _losses(call), _stood_still(call)
    if all(still):
        batches = f"{len(losses)} batches" if len(losses) > 1 else "a single batch"
        return (
            f"After {batches} at lr = 0.01 the parameters of the model are unchanged. Train the "
            "model that is passed, not a copy, and take a step for each batch."
        )
    if any(still):
        return "One parameter of the model is unchanged; take each step with all of them."
    if not abs(float(losses[0]) - float(first)) <= 1e-4:
        return "The loss of the first batch is not that of the model as it was passed."
    if not bool(((losses[1:] - losses[:-1]).abs() > 1e-6).all()):
        return "The loss does not change from one batch to the next."
    return ""


def _stood_still(call: CallView) -> list[bool]:
    """Which tables of the stand-in, table and head, are the same after training as before."""
    given = [to_tensor(array) for array in call.args[0].args[:2]]
    return [torch.equal(one, now) for one, now in zip(given, _trained(call), strict=True)]


def gradients_are_of_one_batch(seen: RelationView) -> Found:
    """At each step the gradients are those of its own batch, whatever the optimiser makes of
    them."""
    for call in seen.calls("train_steps", "train_few"):
        if any(_stood_still(call)):
            yield (
                "A table of the model is unchanged, so it is impossible to see which gradients "
                "were used."
            )
            return
        if _repeated(call):
            yield (
                "The gradients of a later batch include old ones. `backward` adds to existing "
                "gradients; clear them once for each batch."
            )
    (new,), (used,) = (seen.calls("train_steps", f"train_{how}") for how in ("new", "used"))
    pairs = zip(_trained(new), _trained(used), strict=True)
    if not all(torch.allclose(one, other, rtol=1e-4, atol=1e-6) for one, other in pairs):
        yield (
            "Gradients that the model had before the call affect its first step. Clear them "
            "before the first `backward`, and not only after a step."
        )


def _repeated(call: CallView) -> bool:
    """Whether a gradient is the one before and that of its batch added up.

    Looked at when the model is called for the next batch. A gradient that is in no attribute,
    cleared by then, clipped, or scaled passes: only sums with the old one do not.
    """
    kept = _own(call, "kept", 5)
    states = [state for n, state in enumerate(kept) if n == 0 or not state[0].equal(kept[n - 1][0])]
    for before, now, batch in zip(states[1:], states[2:], call.args[1][1:], strict=False):
        tables = before[0].double().requires_grad_(True)
        (own,) = torch.autograd.grad(_loss(*tables, *batch), tables)
        if any(map(_is_sum, now[1].double(), before[1].double(), own)):
            return True
    return False


def _is_sum(now: torch.Tensor, old: torch.Tensor, own: torch.Tensor) -> bool:
    """Whether ``now`` is a multiple of ``old + own``, or ``old`` as it is and a multiple of
    ``own``."""
    if not all(bool(one.any()) for one in (now, old, own)):
        return False
    both = torch.stack([old.flatten(), own.flatten()], dim=1)
    share, times = torch.linalg.lstsq(both, now.reshape(-1, 1)).solution.flatten()
    left = now.flatten() - both @ torch.stack([share, times])
    return bool((left.norm() < 1e-3 * now.norm()) & (share > 0.95 * times.abs().clamp(max=1)))


def _trained(call: CallView) -> list[torch.Tensor]:
    """Table and head of the stand-in after training."""
    return [_own(call, name, 2) for name in ("table", "head")]


def _own(call: CallView, name: str, axes: int) -> torch.Tensor:
    """A tensor [..., V, D] of the stand-in after training."""
    size = tuple(call.args[0].args[0].shape)
    for entry in call.after[0].module().entries:
        shape = tuple(entry.array.shape)
        if entry.name == name and len(shape) == axes and shape[-2:] == size:
            return to_tensor(entry.array)
    text = "After training, the model that was passed has lost its own tensors."
    raise Wrong(Mismatch(call.where, "other", "the model's tensors", "others", text=text))


def last_loss(call: CallView) -> float:
    """The last loss as a part of ln V, the loss of a new model; or that of the model as it is
    then, if that is larger: what is said of training is no training."""
    return max(float(_losses(call)[-1]) / math.log(CORPUS), _loss_after(call, 1))


def worst_late_loss(call: CallView) -> float:
    """The largest of the last losses as a part of ln V; or, if that is larger, the mean loss of
    the model as it is then for the last two batches."""
    return max(float(_losses(call)[-LAST:].max()) / math.log(CORPUS), _loss_after(call, 2))


def _loss_after(call: CallView, batches: int) -> float:
    """The trained stand-in's mean loss for the last batches, as a part of ln V."""
    table, head = (one.double() for one in _trained(call))
    losses = [_loss(table, head, ids, targets) for ids, targets in call.args[1][-batches:]]
    return float(torch.stack(losses).mean() / math.log(len(table)))


def _loss(
    table: torch.Tensor, head: torch.Tensor, ids: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """What the stand-in returns for a batch."""
    factor = 1.5 + torch.cos(0.9 * torch.arange(ids.shape[-1], dtype=torch.float64) + 0.4)
    logits = (table[ids] * factor[:, None]) @ head.T
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2), targets.flatten())


def _losses(call: CallView) -> torch.Tensor:
    """One finite loss per batch, the first one that of a model that knows nothing."""
    batches = len(call.args[1])
    losses = call.tensor()
    if losses.is_complex() or tuple(losses.shape) != (batches,):
        text = f"train_steps should return one number per batch, {batches} here."
        raise Wrong(Mismatch(call.where, "other", "one loss per batch", "others", text=text))
    if not bool(torch.isfinite(losses.double()).all()) or not bool((losses > 0).any()):
        text = "Some losses are not finite, or none is above 0."
        raise Wrong(Mismatch(call.where, "other", "finite losses", "others", text=text))
    return losses.double()


# ------------------------------------------------------------------ pca_figure


def scatter_is_of_components(seen: RelationView) -> Found:
    """Ten points or more that have the properties of the first two principal components."""
    clouds = list(_clouds(seen.figures()))
    if not clouds:
        panels = [panel for figure in seen.figures() for panel in figure.panels]
        several = [len(to_tensor(points)) for panel in panels for points in panel.points]
        shown = f"the largest has {max(several)}" if several else "there is none"
        yield (
            f"A scatter plot of {POINTS} points or more is required, and {shown}. Use "
            "plt.scatter; lines do not count."
        )
        return
    said = [list(_no_components(points)) for points in clouds]
    if all(said):
        yield from said[0]


def explained_variance_is_told(seen: RelationView) -> Found:
    """The part of the variance that the components explain stands with the picture."""
    figures = seen.figures()
    texts = [*(text for figure in figures for text in _texts(figure)), seen.printed()]
    told = [number for text in texts for number in _numbers(text)]
    spoken = [number for text in texts if _speaks(text) for number in _numbers(text)]
    rows = _hidden_table()
    of_table = any(_is_of_table(points, rows) for points in _clouds(figures))
    if not (told if of_table else spoken):
        yield (
            "The explained variance is not shown: put it, as a number, in the title or in an "
            "axis label, or print it."
        )
    elif of_table and not _tells(told, rows) and not spoken:
        yield "There is a number without a description, and it is not the explained variance."
    elif of_table and not _tells(told, rows):
        yield _mistold(told, rows)
    elif not of_table and not any(0 < number <= 100 for number in spoken):
        yield "The explained variance is a share: between 0 and 1, or between 0 and 100 %."


def _mistold(told: Sequence[float], rows: torch.Tensor) -> str:
    """What numbers are that are taken for the explained variance."""
    shares = _shares(rows)
    plain = shares.sqrt() / shares.sqrt().sum()
    of_two = shares[:2] / shares[:2].sum()
    first = "None of the numbers shown is the explained variance of these two components. "
    if all(any(_close_to(n, float(k)) for n in told) for k in plain[:2]):
        return f"{first}It comes from the squares of the singular values; these are not squared."
    if all(any(_close_to(n, float(k)) for n in told) for k in of_two):
        return (
            f"{first}It is a share of the total variance, not of the variance of these two "
            "components."
        )
    return f"{first}It is the squared singular values (or the eigenvalues), divided by their sum."


def _tells(told: Sequence[float], rows: torch.Tensor) -> bool:
    """Whether the shares are among the numbers: added up or each, or as plain variances."""
    shares = _shares(rows)
    ways = [[shares[:2].sum()], shares[:2], _variances(rows, 0)[:2], _variances(rows, 1)[:2]]
    return any(all(any(_close_to(n, float(k)) for n in told) for k in way) for way in ways)


def _clouds(figures: Sequence[Figure]) -> Iterator[torch.Tensor]:
    """All points of each panel, and each scatter by itself, where there are enough of them."""
    for figure in figures:
        for panel in figure.panels:
            several = [to_tensor(points).double() for points in panel.points]
            several = [points for points in several if points.dim() == 2 and points.shape[1] == 2]
            joined = [torch.cat(several)] if len(several) > 1 else []
            yield from (points for points in (*joined, *several) if len(points) >= POINTS)


def _no_components(points: torch.Tensor) -> Found:
    """What keeps points from being the first two principal components of something."""
    if not bool(torch.isfinite(points).all()):
        yield "Some points of the scatter plot are not finite."
        return
    spread = points.std(dim=0)
    if not bool((spread > 1e-6).all()):
        yield "All points of the scatter plot are on one line along an axis; draw both components."
        return
    middle = points.mean(dim=0)
    rows = _hidden_table()
    slip = _slip(points, rows)
    if slip:
        yield slip
    elif not bool((middle.abs() <= 0.02 * spread.max()).all()):
        yield (
            "The points are not centred on 0. For principal components, the mean row is "
            "subtracted first, so the result has mean 0."
        )
    elif not abs(float(torch.corrcoef(points.T)[0, 1])) <= 0.02:
        yield "The two coordinates are correlated; two principal components never are."
    elif not spread[0] >= 0.999 * spread[1]:
        yield "The second coordinate varies more than the first; the first component comes first."
    elif len(points) == rows.shape[1] and _is_of_table(points, rows.T):
        yield "There is a point for each column of the table. Draw one for each row."
    elif len(points) == len(rows) and not _is_of_table(points, rows):
        scores = _scores(rows)
        found = [_which(points[:, axis], scores) for axis in (0, 1)]
        if None not in found:
            yield f"These are the components {found[0]} and {found[1]}; draw the first two."


def _slip(points: torch.Tensor, rows: torch.Tensor) -> str:
    """What points are that are often taken for the first two components; empty for others."""
    if len(points) != len(rows):
        return ""
    divided = "The columns were divided by their spread; only subtract the mean row."
    clouds = (
        ("These are two columns of the table itself, and not components.", rows[:, :2]),
        (
            "The mean row was not subtracted before the components were computed.",
            _scores(rows, torch.zeros(1))[:, :2],
        ),
        (
            "The components are right, but the rows were projected without subtracting the mean "
            "row.",
            rows @ _directions(rows)[:2].T,
        ),
        *((divided, _scores(rows / rows.std(dim=0, correction=c))[:, :2]) for c in (0, 1)),
        (
            "The mean of each row or of the whole table was subtracted; subtract the mean row "
            "instead.",
            _scores(rows, rows.mean(dim=1, keepdim=True))[:, :2],
        ),
    )
    sizes = [float((points.abs() - cloud.abs()).norm() / cloud.norm()) for _, cloud in clouds]
    best = min(range(len(clouds)), key=lambda place: sizes[place])
    return clouds[best][0] if sizes[best] < 0.01 else ""


def _is_of_table(points: torch.Tensor, rows: torch.Tensor) -> bool:
    """Whether points are the first two components of a table, each of either sign and length."""
    scores = _scores(rows)
    return len(points) == len(rows) and all(_which(points[:, a], scores) == a + 1 for a in (0, 1))


def _which(coordinates: torch.Tensor, scores: torch.Tensor) -> int | None:
    """The number, from 1, of the component that these coordinates follow."""
    pairs = torch.nn.functional.cosine_similarity(coordinates[:, None], scores, dim=0).abs()
    best = int(pairs.argmax())
    return best + 1 if float(pairs[best]) > 0.999 else None


def _scores(rows: torch.Tensor, middle: torch.Tensor | None = None) -> torch.Tensor:
    """The rows in their principal components; ``middle`` takes the place of the mean row."""
    taken = rows.mean(dim=0) if middle is None else middle
    left, sizes, _ = torch.linalg.svd(rows - taken, full_matrices=False)
    return left * sizes


def _directions(rows: torch.Tensor) -> torch.Tensor:
    return torch.linalg.svd(rows - rows.mean(dim=0), full_matrices=False)[2]


def _shares(rows: torch.Tensor) -> torch.Tensor:
    squares = torch.linalg.svdvals(rows - rows.mean(dim=0)) ** 2
    return squares / squares.sum()


def _variances(rows: torch.Tensor, lost: int) -> torch.Tensor:
    return torch.linalg.svdvals(rows - rows.mean(dim=0)) ** 2 / (len(rows) - lost)


def _hidden_table() -> torch.Tensor:
    """The table of the notebook, in float64."""
    token = torch.arange(24, dtype=torch.float64)[:, None]
    column = torch.arange(32, dtype=torch.float64)[None, :]
    angle = 2 * math.pi * (token * 7 % 24) / 24
    table = 1.5 + torch.cos(1.1 * column)
    table = table + 0.30 * torch.cos(angle) * torch.cos(2 * math.pi * 3 * column / 32)
    table = table + 0.22 * torch.sin(angle) * torch.sin(2 * math.pi * 3 * column / 32)
    return table + 0.16 * torch.sin(12.9898 * token * token + 78.233 * column + token * column)


def _texts(figure: Figure) -> Iterator[str]:
    yield figure.title
    for panel in figure.panels:
        yield from (f"{panel.title} {panel.xlabel} {panel.ylabel}", *panel.texts)


def _speaks(text: str) -> bool:
    return bool(re.search(r"varian|explain|erkl|%|\bevr?\b|\bratio", text, re.IGNORECASE))


def _numbers(text: str) -> list[float]:
    found = re.findall(r"(?<![\w.])\d*\.?\d+(?:e[-+]?\d+)?", text[:4000], re.IGNORECASE)
    return [float(number) for number in found]


def _close_to(told: float, share: float) -> bool:
    """Whether a number is a share, as a fraction or in percent, as far as it was rounded."""
    return abs(told - share) <= 0.0051 or abs(told - 100 * share) <= 0.51


# ------------------------------------------------------------------ shared


def _returned(call: CallView) -> bool:
    return getattr(call.held.value, "type", "") != "nothing"


def _near(actual: torch.Tensor, expected: torch.Tensor, room: float) -> bool:
    """Equal shapes, and no number further off; NaN is never near."""
    same = actual.shape == expected.shape
    return same and bool(((actual.double() - expected.double()).abs() <= room).all())


def _atol(seen: RelationView) -> float:
    return seen.tolerance.atol if seen.tolerance is not None else 1e-5
