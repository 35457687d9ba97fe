"""Stand-ins for a student's objects during a call; none of them is an answer to an exercise.

A stage of a pipeline is called with a stand-in for an earlier part, so that a mistake in that part
is not charged again. The reference is called with the same stand-ins.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import torch

from autograder.wire.convert import to_wire
from autograder.wire.values import Array

_Module, _Tensor, _contiguous = torch.nn.Module, torch.Tensor, torch.contiguous_format
_arange, _cos, _outer, _polar = torch.arange, torch.cos, torch.outer, torch.polar
_as_tensor, _float32, _float64, _ones = torch.as_tensor, torch.float32, torch.float64, torch.ones
_zeros = torch.zeros
_embedding = torch.nn.functional.embedding
_linear, _cross_entropy = torch.nn.functional.linear, torch.nn.functional.cross_entropy
MAX_CELLS = 50_000_000
_cat, _stack, _zeros_like = torch.cat, torch.stack, torch.zeros_like
_KEPT = 12  # calls of a watched model
_MANY = 1_000_000  # positions: no limit that a test would reach


class Turns(torch.Tensor):
    """Complex numbers that can also be unpacked as a pair (cosines, sines), the other usual
    form."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Turns:
        return self.clone().as_subclass(Turns)

    def __iter__(self) -> Iterator[torch.Tensor]:
        return iter((self.real.as_subclass(torch.Tensor), self.imag.as_subclass(torch.Tensor)))


def table(*given: Any, **named: Any) -> torch.Tensor:
    """Numbers between -1 and 1, float32 [rows, columns]; no formula of the course."""
    device = named.pop("device", None)
    rows, columns = _first_two(given, named)
    return _angles(int(rows), int(columns)).sin().to(_float32).to(device)


def complex_table(*given: Any, **named: Any) -> torch.Tensor:
    """Numbers on the unit circle for (dim, end): complex64 [end, dim/2]; no rotation of the
    course."""
    device = named.pop("device", None)
    dim, end = _first_two(given, named)
    angles = _angles(int(end), int(dim) // 2).to(_float32)
    turns = _polar(_ones(angles.shape, dtype=_float32), angles).to(device)
    return turns.as_subclass(Turns)


def turn(*given: Any, **named: Any) -> Any:
    """x [B, T, H, D] plus the frequencies [T, D/2] of each position; no rotation."""
    x, frequencies = _first_two(given, named)
    first = frequencies[0] if isinstance(frequencies, list | tuple) else frequencies
    real = (first.real if first.is_complex() else first).as_subclass(torch.Tensor)
    added = (0.5 * real).repeat_interleave(2, -1)
    added = added.reshape(1, added.shape[-2], 1, added.shape[-1]) if x.dim() == 4 else added
    return x + added.to(x.dtype)


def alike(*given: Any, **named: Any) -> Any:
    """Similarity of two vectors, independent of their lengths; no cosine: lengths are sums of
    absolute values. A tensor for tensors."""
    a, b = _first_two(given, named)
    tensors = isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor)
    a, b = (_as_tensor(one).to(_float64) for one in (a, b))
    found = (a * b).sum(-1) / (a.abs().sum(-1) * b.abs().sum(-1)).clamp(min=1e-12)
    return found if tensors else found.numpy()[()]


def token_code(*given: Any, **named: Any) -> torch.Tensor:
    """A vector [size] for (token id, size), different for each id; no one-hot vector."""
    token_id, size = _first_two(given, named)
    return table(size, size)[int(token_id)]


def next_words(*given: Any, **named: Any) -> torch.Tensor:
    """One row [size] for each word of (sentence, vocabulary) with a 1 in the place after the word's
    id, the first place after the last one; zeros for unknown words. Not the word's one-hot vector.
    """
    sentence, vocab = _first_two(given, named)
    ids = [vocab.get(word) for word in sentence.lower().split()]
    rows = _zeros(len(ids), len(vocab))
    for row, i in zip(rows, ids, strict=True):
        if i is not None:
            row[(i + 1) % len(vocab)] = 1.0
    return rows


def token_vector(*given: Any, **named: Any) -> torch.Tensor:
    """A vector [columns] for (token id, table [rows, columns]) that identifies the id; no lookup of
    the course."""
    token_id, rows = _first_two(given, named)
    found: torch.Tensor = _as_tensor(rows)[int(token_id)]
    return found * (1.5 + _cos(1.3 * _arange(found.shape[-1]) + 0.4)).to(found.dtype)


def _first_two(given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """The first two arguments, by any name: names of parameters are free."""
    every = [*given, *named.values()]
    if len(every) < 2:
        raise TypeError(f"expected two arguments, got {len(every)}")
    return every[:2]


def _angles(rows: int, columns: int) -> torch.Tensor:
    """Spread by irrational steps, so that no two rows or columns are alike."""
    if rows * columns > MAX_CELLS:
        raise ValueError(f"a table of {rows} x {columns} is too large")
    p, i = _arange(rows, dtype=_float64), _arange(columns, dtype=_float64)
    return _outer(p + 1.3, i * 0.7548776662 + 0.5698402909) + 2.1 * i


class _Rows(torch.nn.Module):
    """A learnable table (rows, columns), with the constructor of a student's embedding class."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(table(*given, **named))

    def _wave(self, phase: float) -> torch.Tensor:
        """A factor for each column, so that no output is a row of the table."""
        columns = _arange(self.weight.shape[1], device=self.weight.device)
        return 1.5 + _cos(1.3 * columns.to(self.weight.dtype) + phase)


class TokenRows(_Rows):
    """ids [...] give vectors [..., columns] that identify the ids; no lookup of the course."""

    def forward(self, token_ids: Any) -> torch.Tensor:
        """The ids' rows, each column times a factor of its own."""
        return _embedding(token_ids, self.weight) * self._wave(0.4)


class PositionRows(_Rows):
    """ids [B, T] give vectors [T, columns] that identify the positions; no lookup of the course."""

    def forward(self, token_ids: Any) -> torch.Tensor:
        """Rows 0 to T-1, each column times a factor of its own."""
        positions = _arange(token_ids.shape[-1], device=token_ids.device)
        return _embedding(positions, self.weight) * self._wave(2.2)


class AddedTable(torch.nn.Module):
    """x [B, T, columns] plus rows 0 to T-1 of a ``table``; made as f(columns, rows). No encoding
    of the course."""

    rows: torch.Tensor

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__()
        columns, rows = _first_two(given, named)
        self.register_buffer("rows", table(rows, columns))

    def forward(self, x: Any) -> torch.Tensor:
        """Row t is added to position t."""
        added: torch.Tensor = x + self.rows[: x.shape[-2]].to(x.dtype)
        return added


FUNCTIONS: MappingProxyType[str, Callable[..., Any]] = MappingProxyType(
    {
        "table": table,
        "complex_table": complex_table,
        "turn": turn,
        "alike": alike,  # a wrong cosine of exercise 3 is not charged among categories
        "token_code": token_code,
        "next_words": next_words,
        "token_vector": token_vector,
        "token_rows": TokenRows,
        "position_rows": PositionRows,
        "added_table": AddedTable,
    }
)


def called_like(stand_in: Callable[..., Any], own: object) -> Callable[..., Any]:
    """A stand-in that takes keyword arguments in any order, as the student's ``own`` function or
    class does that it replaces; unchanged if the signature of ``own`` is unknown."""
    try:
        order = tuple(inspect.signature(own).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return stand_in

    def ordered(named: Mapping[str, Any]) -> dict[str, Any]:
        return {name: named[name] for name in (*order, *named) if name in named}

    if isinstance(stand_in, type):
        kind: Any = stand_in

        def begin(self: Any, *given: Any, **named: Any) -> None:
            kind.__init__(self, *given, **ordered(named))

        return type(kind.__name__, (kind,), {"__init__": begin})
    return lambda *given, **named: stand_in(*given, **ordered(named))


class Model(torch.nn.Module):
    """A model that is no exercise's answer: rows of a table times a factor by position."""

    def __init__(self, rows: torch.Tensor, max_seq_len: int) -> None:
        super().__init__()
        self.table = torch.nn.Parameter(rows)
        self.max_seq_len = int(max_seq_len)
        self.vocab_size, self.embed_dim = rows.shape

    def forward(self, token_ids: Any) -> torch.Tensor:
        """[..., T] ids give [..., T, D]; ValueError when T exceeds the limit."""
        length = token_ids.shape[-1]
        if length > self.max_seq_len:
            raise ValueError(f"got {length} tokens, more than the limit of {self.max_seq_len}")
        return _waved(token_ids, self.table)


def _waved(token_ids: Any, rows: torch.Tensor) -> torch.Tensor:
    """The ids' rows, each times a factor by its position."""
    positions = _arange(token_ids.shape[-1], device=token_ids.device, dtype=rows.dtype)
    factor = 1.5 + _cos(0.9 * positions + 0.4)
    return _embedding(token_ids, rows) * factor[:, None]


class Speaks:
    """The behaviour of a model with a loss, whatever object holds its two tables."""

    def tables(self) -> list[torch.Tensor]:
        """The tables of the tokens and of the head, each [V, D]."""
        raise NotImplementedError

    def watch(self) -> None:
        """Called before each call; most models do nothing."""

    def forward(self, *given: Any, **named: Any) -> tuple[torch.Tensor, Any]:
        """[B, T] ids give logits [B, T, V] and, with targets, the mean loss of those not -1."""
        self.watch()
        token_ids, targets = (*given, *named.values(), None)[:2]
        rows, head = self.tables()
        logits = _linear(_waved(token_ids, rows), head)
        if targets is None:
            return logits, None
        return logits, _cross_entropy(logits.flatten(0, -2), targets.reshape(-1), ignore_index=-1)

    def get_learning_rate_scale(self) -> float:
        """A method of an exercise, without its formula."""
        return 1.0


class LanguageModel(Speaks, torch.nn.Module):
    """A model with a loss that is no exercise's answer: the rows' factor by position is no turn."""

    def __init__(self, rows: torch.Tensor, head: torch.Tensor) -> None:
        super().__init__()
        self.table, self.head = torch.nn.Parameter(rows), torch.nn.Parameter(head)
        self.vocab_size, self.n_embd = rows.shape
        self.max_seq_len = _MANY

    def tables(self) -> list[torch.Tensor]:
        """The parameters themselves."""
        return [self.table, self.head]


class WatchedLanguageModel(LanguageModel):
    """A ``LanguageModel`` that keeps copies of its parameters and gradients at its first calls:
    ``kept`` [calls, 2 (numbers, gradients; 0 where there is none), 2 (table, head), V, D]."""

    kept: torch.Tensor

    def __init__(self, rows: torch.Tensor, head: torch.Tensor) -> None:
        super().__init__(rows, head)
        self.register_buffer("kept", rows.new_zeros(0, 2, 2, *rows.shape), persistent=False)

    def watch(self) -> None:
        """Keep the parameters and gradients as they are now."""
        self.kept = and_now(self.kept, self.tables(), [self.table.grad, self.head.grad])


class UsedLanguageModel(LanguageModel):
    """A language model whose parameters have gradients from before."""

    def __init__(self, rows: torch.Tensor, head: torch.Tensor) -> None:
        super().__init__(rows, head)
        for one in self.tables():
            one.grad = (one + 1.0).detach()  # gradients from before the call are seen


def and_now(
    kept: torch.Tensor, tables: list[torch.Tensor], gradients: list[torch.Tensor | None]
) -> torch.Tensor:
    """Append the present numbers and gradients to those of earlier calls, up to a limit of
    calls."""
    if len(kept) >= _KEPT:
        return kept
    pairs = zip(tables, gradients, strict=True)
    filled = [_zeros_like(own) if gradient is None else gradient for own, gradient in pairs]
    now = _stack([_stack([own.detach() for own in tables]), _stack(filled).detach()])
    return _cat([kept, now[None].to(kept)])


def by_columns(numbers: torch.Tensor) -> torch.Tensor:
    """A copy with equal numbers in another order in memory: the last axis is the slowest."""
    turned: torch.Tensor = numbers.permute(*range(numbers.dim())[::-1])
    # A tensor by columns is not contiguous.
    return turned.clone(memory_format=_contiguous).permute(*range(numbers.dim())[::-1])


class Tokenizer:
    """Whole words to ids and back, with the interface of the tokenizers of ``transformers``."""

    def __init__(self, words: list[str]) -> None:
        self.words = list(words)
        self._ids = {word: number for number, word in enumerate(self.words)}
        self.vocab_size = len(self.words)
        self.unk_token_id = self.pad_token_id = self.bos_token_id = self.eos_token_id = None

    def __len__(self) -> int:
        return len(self.words)

    def __call__(self, text: str, return_tensors: str | None = None, **_: Any) -> dict[str, Any]:
        ids = self.encode(text)
        if return_tensors is None:
            return {"input_ids": ids, "attention_mask": [1] * len(ids)}
        return {"input_ids": _as_tensor([ids]), "attention_mask": _as_tensor([[1] * len(ids)])}

    def get_vocab(self) -> dict[str, int]:
        """Words to ids."""
        return dict(self._ids)

    def tokenize(self, text: str, **_: Any) -> list[str]:
        """The words: the text itself if it is one, else split at blanks."""
        words = [text] if text in self._ids else [w for w in text.split() if w in self._ids]
        if not words:
            raise ValueError(f"the tokenizer does not know {text[:60]!r}")
        return words

    def encode(
        self,
        text: str,
        add_special_tokens: bool = True,
        return_tensors: str | None = None,
        **_: Any,
    ) -> Any:
        """The ids of a text; there are no special tokens."""
        ids = [self._ids[word] for word in self.tokenize(text)]
        return ids if return_tensors is None else _as_tensor([ids])

    def decode(self, ids: Any, **_: Any) -> str:
        """The text of one id or of several."""
        plain = ids.tolist() if hasattr(ids, "tolist") else ids
        several = plain if isinstance(plain, list | tuple) else [plain]
        return " ".join(self.words[int(number)] for number in several)

    def convert_tokens_to_ids(self, tokens: Any) -> Any:
        """The id of a word, or the ids of a list of words; None for an unknown one."""
        if isinstance(tokens, str):
            return self._ids.get(tokens)
        return [self._ids.get(token) for token in tokens]

    def convert_ids_to_tokens(self, ids: Any, **_: Any) -> Any:
        """The word of an id, or the words of a list of ids."""
        plain = ids.tolist() if hasattr(ids, "tolist") else ids
        if isinstance(plain, list | tuple):
            return [self.words[int(number)] for number in plain]
        return self.words[int(plain)]


OBJECTS: MappingProxyType[str, Callable[..., Any]] = MappingProxyType(
    {
        "(model)": Model,
        "(language model)": LanguageModel,
        "(watched language model)": WatchedLanguageModel,
        "(used language model)": UsedLanguageModel,
        "(tokenizer)": Tokenizer,
        "(by columns)": by_columns,
    }
)


def state_of(thing: Any) -> bytes:
    """What can change in an object, ours or the student's, so that changes are noticed."""
    if isinstance(thing, _Tensor):
        array = to_wire(thing)
        # A change of a tensor that is not contiguous is noticed.
        return array.data if isinstance(array, Array) else b""
    # A change of our object's limits or words is noticed.
    own = _plain_state(thing) if isinstance(thing, Model | Speaks | Tokenizer) else b""
    if not isinstance(thing, _Module):
        return own
    value = to_wire(thing)
    entries = getattr(value, "entries", ())
    return own + b"".join(entry.name.encode() + entry.array.data for entry in entries)


def _plain_state(thing: Model | Speaks | Tokenizer) -> bytes:
    """The numbers, lists and dictionaries that an object of ours holds by public names."""
    held = {name: value for name, value in vars(thing).items() if not name.startswith("_")}
    return repr([(n, v) for n, v in held.items() if type(v) in (int, list, dict)]).encode()
