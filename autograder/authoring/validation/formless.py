"""A program appended to a right answer: it keeps the form of results and no content.

Its text, from the imports on, is appended to a solution cell by ``trivial.py`` and runs in the
box; nothing of ours imports it. Kept are structure, shape and dtype of what the right answer
gives; a function that raises gives None instead. Not kept: parameters, gradients, what was
printed and what was drawn.
"""

import copy as _copy
import sys as _sys
from typing import Any as _Any

import numpy as _np

_torch: _Any = _sys.modules.get("torch")  # where the notebook uses it
_Tensor: _Any = _torch.Tensor if _torch else ()
_Module: _Any = _torch.nn.Module if _torch else ()


class _Filler:
    """Fills forms. ``kind``: zeros, ones, first or last (argument), constant, noise (which is
    another with every call), same noise."""

    def __init__(self, kind: str, constant: _Any = None) -> None:
        self.kind, self.constant, self.calls = kind, constant, 0

    def __call__(self, value: _Any) -> _Any:
        """One value's form with other content."""
        if self.kind == "constant":
            return self.constant
        if "noise" not in self.kind:
            return self.fill(value, None)
        self.calls += 1
        start = 7 if self.kind == "same noise" else _seed() + 7919 * self.calls
        return self.fill(value, _np.random.default_rng(start % 2**63))

    def fill(self, value: _Any, rng: _Any) -> _Any:
        if isinstance(value, _Tensor):
            return self.tensor(value.detach(), rng)
        if isinstance(value, _np.ndarray | _np.generic):
            return self.array(_np.asarray(value), rng)[()]
        if isinstance(value, str | bool | int | float | complex):
            return self.plain(value, rng)
        if isinstance(value, dict):
            return {key: self.fill(held, rng) for key, held in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.fill(held, rng) for held in value))
        if isinstance(value, list | tuple | set | frozenset):
            return type(value)(self.fill(held, rng) for held in value)
        if isinstance(value, _Module) or callable(value):
            return _formless(value, self)
        return None if value is None else object()

    def tensor(self, tensor: _Any, rng: _Any) -> _Any:
        if rng is None:
            return (_torch.ones_like if self.kind == "ones" else _torch.zeros_like)(tensor)
        kind = "c16" if tensor.is_complex() else "f8" if tensor.is_floating_point() else "i8"
        kind = "?" if tensor.dtype == _torch.bool else kind
        return _torch.as_tensor(self.array(_np.zeros(tuple(tensor.shape), kind), rng)).to(tensor)

    def array(self, array: _Any, rng: _Any) -> _Any:
        kind = array.dtype.kind
        if rng is None:
            return (_np.ones_like if self.kind == "ones" else _np.zeros_like)(array)
        if kind == "b":
            return rng.random(array.shape) < 0.5
        if kind in "iu":
            return rng.integers(0, 10, array.shape).astype(array.dtype)
        if kind == "c":
            parts = rng.uniform(-1, 1, (2, *array.shape))
            return (parts[0] + 1j * parts[1]).astype(array.dtype)
        if kind == "f":
            return _np.asarray(rng.uniform(-1, 1, array.shape)).astype(array.dtype)
        return _np.zeros_like(array)

    def plain(self, value: _Any, rng: _Any) -> _Any:
        if isinstance(value, str):
            return "" if rng is None else "".join(rng.choice([*"abcdefgh"], max(len(value), 1)))
        if rng is None:
            return type(value)(self.kind == "ones")
        if isinstance(value, bool):
            return not value  # a guess would be right too often
        if isinstance(value, int):
            return value + int(rng.integers(1, 10))
        return type(value)(rng.uniform(-1, 1))

    def answer(self, right: _Any, args: _Any, kwargs: _Any) -> _Any:
        """What a call gives in place of the right result."""
        if self.kind in ("first", "last") and args:
            return args[0 if self.kind == "first" else -1]
        try:
            form = right(*_own(args), **_own(kwargs))
        except Exception:  # noqa: BLE001  where the right answer raises, this one does not
            return self.constant
        return self(form)


def _seed() -> int:
    """The call's."""
    state: _Any = _np.random.get_state()
    return int(_torch.initial_seed() if _torch else state[1][0])


def _own(values: _Any) -> _Any:
    """Copies, so that what the right answer does to its arguments is not seen."""
    try:
        return _copy.deepcopy(values)
    except Exception:  # noqa: BLE001  what cannot be copied is taken as it is
        return values


def _formless(value: _Any, filler: _Filler) -> _Any:
    if isinstance(value, type):
        return _formless_class(value, filler)
    if isinstance(value, _Module):
        return filler.constant if filler.kind == "constant" else _formless_object(value, filler)
    return _formless_function(value, filler) if callable(value) else filler(value)


def _formless_function(right: _Any, filler: _Filler) -> _Any:
    def formless(*args: _Any, **kwargs: _Any) -> _Any:
        return filler.answer(right, args, kwargs)

    return formless


def _formless_class(right: _Any, filler: _Filler) -> _Any:
    """A class of the same name that makes objects without parameters."""

    def make(*args: _Any, **kwargs: _Any) -> list[_Any]:
        try:
            return [right(*args, **kwargs)]
        except Exception:  # noqa: BLE001  an object is made whatever the arguments
            return []

    made = _class_of(make, issubclass(right, _Module), filler)
    made.__name__ = made.__qualname__ = right.__name__
    return made


def _formless_object(right: _Any, filler: _Filler) -> _Any:
    return _class_of(lambda: [right], isinstance(right, _Module), filler)()


def _class_of(make: _Any, is_module: bool, filler: _Filler) -> _Any:
    """Objects that hide the right one in a list, so that its parameters are not theirs."""

    class Formless(_Module if is_module else object):  # type: ignore[misc]
        def __init__(self, *args: _Any, **kwargs: _Any) -> None:
            super().__init__()
            self.__dict__["_right"] = make(*args, **kwargs)

        def forward(self, *args: _Any, **kwargs: _Any) -> _Any:
            held = self.__dict__["_right"] or [lambda *args: None]
            return filler.answer(held[0], args, kwargs)

        if not is_module:
            __call__ = forward

        def __getattr__(self, name: str) -> _Any:
            held = self.__dict__.get("_right")
            if name.startswith("_") or not held:
                raise AttributeError(name)
            return _formless(getattr(held[0], name), filler)

    return Formless


def _make_formless(scope: dict[str, _Any], names: _Any, kind: str, constant: _Any = None) -> None:
    """Replace what the names in ``scope`` hold."""
    filler = _Filler(kind, constant)
    for name in names:
        if name in scope:
            scope[name] = _formless(scope[name], filler)
