"""The border: what goes in comes out bit for bit, and hostile bytes are only ever WireError."""

from __future__ import annotations

import decimal
import fractions
import math
import random
import struct
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from autograder.wire import messages
from autograder.wire.messages import (
    MAX_DEPTH,
    MAX_DIGITS,
    MOST_LINES,
    Answer,
    Ask,
    Begin,
    Call,
    Cell,
    Error,
    Figures,
    Job,
    Keep,
    Kept,
    Outcome,
    Probe,
    Read,
    Reply,
    Request,
    RunCell,
    WireError,
    decode,
    encode,
)
from autograder.wire.tensors import from_wire, tensor_to_wire, to_tensor, to_wire
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    Entry,
    Items,
    Mapping,
    Module,
    Opaque,
    Whole,
)
from tests.support.made_messages import answers, plain_values
from tests.support.tables import evaluated, table_beside


def reply(value: Any) -> bytes:
    return encode(Reply(7, Outcome("returned", value)))


def travelled(value: Any) -> Any:
    """A Python value after the whole way: to wire, to bytes, back, decoded."""
    answer = decode(reply(to_wire(value)), Reply).answer
    assert isinstance(answer, Outcome)
    return from_wire(answer.value)


def refused(body: bytes, kind: type[Any] = Reply) -> bool:
    with pytest.raises(WireError):
        decode(body, kind)
    return True


# ---------------------------------------------------------------- arrays


def some_bytes(dtype: str, count: int) -> bytes:
    """Any bit pattern is a number, NaNs with payloads too; a bool is 0 or 1."""
    made = random.Random(dtype).randbytes(count * ITEMSIZE[dtype])
    return bytes(b & 1 for b in made) if dtype == "bool" else made


@pytest.mark.parametrize("dtype", ITEMSIZE)
@pytest.mark.parametrize("shape", [(), (1,), (3, 5), (2, 0, 4), (2, 3, 1, 2)], ids=str)
def test_a_tensor_of_any_dtype_comes_back_bit_for_bit(dtype: str, shape: tuple[int, ...]) -> None:
    data = some_bytes(dtype, math.prod(shape))
    tensor = to_tensor(Array(dtype, shape, data))
    back = travelled(tensor)
    assert back.dtype == tensor.dtype == getattr(torch, dtype)
    assert back.shape == tensor.shape == shape
    sent = to_wire(back)
    assert isinstance(sent, Array) and sent.data == data


@pytest.mark.parametrize("dtype", [name for name in ITEMSIZE if name != "bfloat16"])
def test_an_ndarray_comes_back_as_one_bit_for_bit(dtype: str) -> None:
    array = np.frombuffer(some_bytes(dtype, 12), dtype=dtype).reshape(3, 4)
    back = travelled(array)
    assert isinstance(back, np.ndarray)
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, (3, 4), array.tobytes())


VIEWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "transposed": lambda t: t.T,
    "strided": lambda t: t[::2, ::3],
    "expanded": lambda t: t[:1].expand(4, 6),
    "conjugated": lambda t: (t + 2j * t).conj(),
    "negated lazily": lambda t: (t + 2j * t).conj().imag,
    "a parameter": lambda t: torch.nn.Parameter(t),
    "with a history": lambda t: t.clone().requires_grad_() * 2,
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_arrives_as_the_numbers_that_it_shows(view: str) -> None:
    shown: torch.Tensor = VIEWS[view](torch.arange(24.0).reshape(4, 6) + 0.1)
    back = travelled(shown)
    assert torch.equal(back, shown.detach().resolve_conj().resolve_neg())
    assert not back.requires_grad


def test_numpy_layouts_arrive_as_the_numbers_that_they_show() -> None:
    array = np.arange(24.0).reshape(4, 6)
    for shown in (array.T, array[::-1, ::2], array.astype(">f8"), np.float64(0.1), np.int16(-3)):
        back = travelled(shown)
        assert np.array_equal(back, shown) and back.shape == np.shape(shown)
    assert travelled(np.array([1, 2**40], dtype=np.uint64)).tolist() == [1, 2**40]
    assert travelled(np.array(["a", "bc"])) == ["a", "bc"]


def test_decoded_tensors_share_no_memory() -> None:
    wired = to_wire(torch.zeros(3))
    first, second = from_wire(wired), from_wire(wired)
    first += 1
    assert second.tolist() == [0.0, 0.0, 0.0]


WITHOUT_PLAIN_NUMBERS = {
    "sparse": lambda: torch.eye(3).to_sparse(),
    "compressed": lambda: torch.eye(3).to_sparse_csr(),
    "nested": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
    "meta": lambda: torch.empty(2, device="meta"),
    "float8": lambda: torch.ones(2).to(torch.float8_e4m3fn),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", WITHOUT_PLAIN_NUMBERS)
def test_a_tensor_without_plain_numbers_stays_inside(what: str) -> None:
    tensor = WITHOUT_PLAIN_NUMBERS[what]()
    assert tensor_to_wire(tensor) is None
    assert isinstance(to_wire(tensor), Opaque)


class Loud(torch.Tensor):
    """A student's tensor class that interferes with every function."""

    @classmethod
    def __torch_function__(cls, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("hands off")


def test_a_tensor_subclass_is_read_as_plain_numbers() -> None:
    loud = torch.arange(3.0).as_subclass(Loud)
    wired = to_wire(loud)
    assert isinstance(wired, Array)
    assert to_tensor(wired).tolist() == [0.0, 1.0, 2.0]


# ---------------------------------------------------------------- scalars and containers

NAN_WITH_PAYLOAD = struct.unpack(">d", bytes.fromhex("7ff800000000beef"))[0]
SCALARS = [
    *(0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, 0.1),
    *(math.nan, NAN_WITH_PAYLOAD),
    *(0, -1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**400, -(10**400)),
    *(True, False, None, 1 + 2j, -0.0j, "", "grüße\n", "x\0y"),
]


@pytest.mark.parametrize("value", SCALARS, ids=lambda value: repr(value)[:24])
def test_a_scalar_comes_back_exactly_and_with_its_type(value: Any) -> None:
    back = travelled(value)
    assert type(back) is type(value) and repr(back) == repr(value)
    if isinstance(value, float):
        assert struct.pack(">d", back) == struct.pack(">d", value)


def test_text_that_utf8_cannot_hold_still_crosses() -> None:
    back = travelled({"half": ["\ud83d"]})
    assert back == {"half": ["\\ud83d"]}


def test_subclasses_of_numbers_and_text_cross_by_their_value() -> None:
    class Count(int):
        def __eq__(self, other: object) -> bool:
            raise RuntimeError

        __hash__ = int.__hash__

    class Word(str):
        def __str__(self) -> str:
            raise RuntimeError

    assert travelled(Count(5)) == 5
    assert travelled(Word("pe")) == "pe"
    assert travelled(fractions.Fraction(1, 4)) == 0.25
    assert travelled(decimal.Decimal("0.25")) == 0.25


def test_containers_come_back_with_their_kind_and_order() -> None:
    point = namedtuple("point", "x y")
    value = {"b": [1, (2, 3)], 2: {4}, "a": OrderedDict(z=None), None: point(1, 2)}
    back = travelled(value)
    assert back == {"b": [1, (2, 3)], 2: {4}, "a": {"z": None}, None: (1, 2)}
    assert list(back) == ["b", 2, "a", None]
    assert travelled({(1, 2): 3}) == {"(1, 2)": 3}  # a key that is not plain becomes text


def test_what_has_no_plain_shape_is_a_bounded_text() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "odd " * 10_000

    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert to_wire(Odd()) == Opaque("Odd", ("odd " * 50)[:200])
    assert to_wire(Broken()) == Opaque("Broken", "(no text)")
    assert isinstance(to_wire(10**5000), Opaque)
    assert isinstance(to_wire(list(range(100_001))), Opaque)
    assert len(travelled("x" * 200_000)) == 100_000


def test_a_list_that_holds_itself_ends() -> None:
    endless: list[Any] = []
    endless.append(endless)
    body = reply(to_wire(endless))
    assert len(body) < 2_000
    decode(body, Reply)


def test_a_module_crosses_as_its_class_names_and_tensors() -> None:
    class Mine(torch.nn.Linear):
        pass

    layer = Mine(2, 1).eval()
    layer.weight.requires_grad_(False)
    layer.register_buffer("steps", torch.tensor(3))
    back = travelled(layer)
    assert isinstance(back, Module)
    assert back.bases == ("Mine", "Linear", "Module") and not back.training
    described = [(e.name, e.role, e.array.shape, e.learnable) for e in back.entries]
    assert described == [
        ("weight", "parameter", (1, 2), False),
        ("bias", "parameter", (1,), True),
        ("steps", "buffer", (), False),
    ]


def every_message() -> Iterator[tuple[msgspec.Struct, type[Any]]]:
    read = Read("e", "n", True)
    call = Call("e", "f", tuple(plain_values()), 3, (1,), True, True)
    begin, run_cell = Begin(2**63, 5, True), RunCell(3, "x = 1", "e")
    requests: tuple[Request, ...] = (begin, run_cell, Keep("e", (read,)), read, call, Figures("e"))
    for request in requests:
        yield Ask(2**62, request), Ask
    for answer in answers():
        yield Reply(5, answer), Reply
    yield Job((Cell(1, "x"),), (("e", 1),), (Probe("p", "e", call),), 1), Job


def test_every_message_comes_back_equal() -> None:
    for message, kind in every_message():
        assert decode(encode(message), kind) == message


def test_too_many_lines_that_ran_are_no_message() -> None:
    lines = tuple((1, line) for line in range(MOST_LINES + 1))
    most = Reply(1, Outcome("returned", lines=lines[1:]))
    assert decode(encode(most), Reply) == most
    assert refused(encode(Reply(1, Outcome("returned", lines=lines))))


# ---------------------------------------------------------------- hostile bytes


EVERY = table_beside(__file__)
LIES = EVERY["arrays"]  # expressions


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("inside", ["bare", "list", "module", "gradient", "kept"])
def test_an_array_that_lies_about_its_size_is_refused(lie: str, inside: str) -> None:
    array = evaluated(LIES[lie], globals())
    answers: dict[str, Answer] = {
        "bare": Outcome("returned", array),
        "list": Outcome("returned", Items("list", (Mapping((("k", array),)),))),
        "module": Outcome("returned", Module("M", (), (Entry("w", "buffer", array, False),))),
        "gradient": Outcome("returned", 1, None, (), (array,)),
        "kept": Kept((Outcome("returned", array),)),
    }
    assert refused(encode(Reply(1, answers[inside])))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = Items("list", (value,))
    return value


def test_what_is_nested_too_deeply_is_refused() -> None:
    decode(reply(nested(MAX_DEPTH - 2)), Reply)
    assert refused(reply(nested(MAX_DEPTH)))
    assert refused(reply(Mapping(((nested(MAX_DEPTH), 1),))))


@pytest.mark.parametrize("byte", [b"\x91", b"\x81", b"\xdc\x00\x01"], ids=["list", "map", "list16"])
def test_a_hundred_thousand_opening_brackets_are_refused(byte: bytes) -> None:
    assert refused(byte * 100_000)
    whole = reply("MARK")
    start, end = whole.split(b"\xa4MARK")
    assert refused(start + byte * 100_000 + end)


def test_a_hundred_thousand_lists_in_lists_are_refused() -> None:
    """Each of them well formed: the decoder itself runs out of depth."""
    one = reply(nested(1))
    opening = one[one.index(b"\x83\xa2is\xa5items") : one.index(b"\x91\x01") + 1]
    assert reply(nested(3)).count(opening) == 3
    assert refused(one.replace(opening, opening * 100_000))


def test_deep_honest_values_are_cut_before_they_are_refused() -> None:
    value: Any = 1
    for _ in range(200):
        value = {"deeper": [value]}
    decode(reply(to_wire(value)), Reply)


@pytest.mark.parametrize(
    "text", ["", "-", "--5", "0x10", "1e9", " 1", "1_0", "9" * (MAX_DIGITS + 1), "²", "nan"]
)
def test_an_integer_that_is_none_is_refused(text: str) -> None:
    assert refused(reply(Whole(text)))


@pytest.mark.parametrize("body", EVERY["bodies"])
def test_what_is_no_message_is_refused(body: str) -> None:
    assert refused(evaluated(body, globals()))


def test_a_message_over_the_limit_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = reply("x" * 100)
    decode(body, Reply)
    monkeypatch.setattr(messages, "MAX_FRAME", len(body) - 1)
    with pytest.raises(WireError, match="over the limit"):
        decode(body, Reply)


@pytest.mark.parametrize(
    "error",
    [
        Error(("E",) * 65, ""),
        Error(("E" * 60_000,), ""),
        Error((), "x" * 60_000),
        Error((), "", 1, "x" * 60_000),
        Error((), "", 1, "", "x" * 60_000),
    ],
)
def test_an_exception_that_is_too_long_is_no_message(error: Error) -> None:
    body = encode(Reply(1, Outcome("raised", error=error)))
    with pytest.raises(WireError, match="too long"):
        decode(body, Reply)


def test_an_exception_as_long_as_the_runner_sends_it_is_one() -> None:
    error = Error(("E" * 100,) * 12, "x" * 1000, 1, "y" * 200, "z" * 5_000)
    assert decode(encode(Reply(1, Outcome("raised", error=error))), Reply)


def test_a_tensor_crosses_whatever_its_strides() -> None:
    """Also one number, which torch calls contiguous with any stride."""
    table = torch.arange(24.0).reshape(2, 3, 4)
    whole = torch.complex(table, -table)
    for part in (table, whole.real, whole.imag, whole.conj().imag, whole.conj()):
        for step in range(1, 5):
            for view in (
                part[::step, ::step, ::step],
                part.mT[1:, 2:, 3 - step % 3 :],
                part[0, 0, step - 1],
            ):
                for tensor in (view, view.clone()):
                    array = tensor_to_wire(tensor)
                    assert array is not None
                    assert array.shape == tuple(tensor.shape)
                    assert array.data == tensor.resolve_conj().resolve_neg().numpy().tobytes()
