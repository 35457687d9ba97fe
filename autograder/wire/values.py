"""The form of a value while it crosses the border: a closed set of plain shapes.

Decoding can build nothing else: no pickle, no import by name, no evaluation.
"""

from __future__ import annotations

from typing import Literal

import msgspec

ITEMSIZE = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}


class Array(msgspec.Struct, frozen=True, tag="array", tag_field="is"):
    """A dense array: little-endian, row-major. ``container`` says what held it, ``device`` where it
    was, if not on the CPU."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    container: Literal["tensor", "ndarray"] = "tensor"
    device: str = "cpu"


class Whole(msgspec.Struct, frozen=True, tag="whole", tag_field="is"):
    """An integer beyond 64 bits, as decimal text."""

    text: str


class Complex(msgspec.Struct, frozen=True, tag="complex", tag_field="is"):
    """A Python complex number."""

    real: float
    imag: float


class Opaque(msgspec.Struct, frozen=True, tag="opaque", tag_field="is"):
    """A value that does not cross the border: its type's name and a bounded text."""

    type: str
    text: str


class Items(msgspec.Struct, frozen=True, tag="items", tag_field="is"):
    """A list, tuple or set."""

    kind: Literal["list", "tuple", "set"]
    items: tuple[Value, ...]


class Mapping(msgspec.Struct, frozen=True, tag="mapping", tag_field="is"):
    """A dictionary, in its own order."""

    items: tuple[tuple[Value, Value], ...]


Label = bool | int | float | str | Items | None
"""A name of a column or of an index; a tuple of a hierarchical one is ``Items``."""


class DataColumn(msgspec.Struct, frozen=True, tag="column", tag_field="is"):
    """Values of one kind: a column of a data frame, or one level of its index.

    ``values`` [n] holds numbers or booleans; of "time" and "duration" int64 multiples of ``unit``
    (times in UTC if there is a ``zone``); of all other kinds int32 codes: places in ``levels``, or
    in ``categories``. A value is missing where ``missing`` [n] is true, where a number is NaN, and
    where a code is -1. ``dtype`` is the library's own name.
    """

    kind: Literal[
        "number", "bool", "time", "duration", "text", "period", "interval", "mixed", "category"
    ]
    dtype: str
    values: Array
    missing: Array | None = None
    levels: tuple[bool | int | float | str | Whole, ...] = ()
    name: Label = None
    unit: Literal["", "s", "ms", "us", "ns"] = ""
    zone: str = ""
    categories: DataColumn | None = None
    ordered: bool = False

    @property
    def length(self) -> int:
        """How many values it has."""
        return self.values.shape[0] if self.values.shape else 0


class DataFrame(msgspec.Struct, frozen=True, tag="data frame", tag_field="is"):
    """A data frame, or one of its parts, as ``columns`` of one length.

    "frame": ``header`` has the levels of the column labels, ``index`` those of the row labels
    (polars has none). "series": one column and an index. "index": its levels as columns. "array":
    one column. "value": one column with one value, for a single time or a missing value.
    """

    form: Literal["frame", "series", "index", "array", "value"]
    columns: tuple[DataColumn, ...]
    header: tuple[DataColumn, ...] = ()
    index: tuple[DataColumn, ...] = ()
    library: Literal["pandas", "polars", ""] = "pandas"

    @property
    def rows(self) -> int:
        """The number of rows."""
        return next((part.length for part in (*self.columns, *self.index)), 0)


class Sparse(msgspec.Struct, frozen=True, tag="sparse", tag_field="is"):
    """A sparse matrix of scipy: ``numbers`` [n] at ``rows`` [n] and ``columns`` [n], both int64."""

    format: Literal["coo", "csr", "csc", "bsr", "dia", "dok", "lil"]
    shape: tuple[int, int]
    rows: Array
    columns: Array
    numbers: Array
    container: Literal["matrix", "array"] = "matrix"


class Entry(msgspec.Struct, frozen=True):
    """One named tensor of a module. ``learnable`` is its ``requires_grad``."""

    name: str
    role: Literal["parameter", "buffer"]
    array: Array
    learnable: bool
    saved: bool = True  # part of the state dict


class Module(msgspec.Struct, frozen=True, tag="module", tag_field="is"):
    """A torch.nn.Module: class names from its own class up to Module, and its tensors.

    As an argument of a call it asks for a fresh library module (``type`` from a closed list, at
    present "Embedding") that holds exactly these tensors.
    """

    type: str
    bases: tuple[str, ...]
    entries: tuple[Entry, ...]
    training: bool = True


class Slot(msgspec.Struct, frozen=True):
    """Numbers for a parameter of this shape (or the transposed one), whatever its name.

    If there are several such parameters: ``zero`` says whether it is all zero in a new object,
    ``owner`` the class of the module that it belongs to, which decides between the remaining ones.
    """

    array: Array
    owner: str = ""
    zero: bool | None = None


class ConstructedObject(msgspec.Struct, frozen=True, tag="made", tag_field="is"):
    """As an argument of a call: an object of the student's own class ``target``, made with
    ``args``, its parameters set from ``slots``; or one of our objects, if ``target`` says so."""

    target: str
    args: tuple[Value, ...]
    slots: tuple[Slot, ...] = ()

    @property
    def ours(self) -> bool:
        """Whether it is one of our objects, not of a class of the student's."""
        return self.target.startswith("(")


class Panel(msgspec.Struct, frozen=True):
    """One Axes of a figure, as data: what is drawn, how it is labelled, how it is coloured.

    ``images`` are the arrays of imshow, matshow, pcolormesh and pcolor; per image ``colormaps``
    names its map, ``colors`` samples it at 9 even steps as RGBA [9, 4] and ``zero_at`` says where
    on the map (0 to 1) the value zero is.
    """

    title: str
    xlabel: str
    ylabel: str
    images: tuple[Array, ...]
    colormaps: tuple[str, ...]
    colors: tuple[Array, ...]
    zero_at: tuple[float, ...]
    has_colorbar: tuple[bool, ...]
    points: tuple[Array, ...] = ()  # scatter offsets [n, 2]
    lines: tuple[Array, ...] = ()  # line data [n, 2]
    texts: tuple[str, ...] = ()
    is_colorbar: bool = False
    point_colors: tuple[Array, ...] = ()  # of each scatter, RGBA [n, 4] or [1, 4]


class Figure(msgspec.Struct, frozen=True, tag="figure", tag_field="is"):
    """A matplotlib figure as data."""

    title: str
    panels: tuple[Panel, ...]


Value = (
    None
    | bool
    | int
    | float
    | str
    | Array
    | Whole
    | Complex
    | Opaque
    | Items
    | Mapping
    | Module
    | Figure
    | ConstructedObject
    | DataFrame
    | Sparse
)
