"""What is said of a fault: its rule, the odd tensor and where it came from; and what is not one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import nn

from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.runner.simulated_device.explain import fault_of
from autograder.runner.simulated_device.moving import move
from autograder.runner.simulated_device.unsupported import not_simulated
from autograder.wire.messages import Fault, Outcome, Reply, decode, encode
from autograder.wire.simulation import ITSELF, OPERATOR
from tests.support.device_driver import HEAD, names_of
from tests.support.effort import costs_at_most
from tests.support.tables import table_beside

FIRST = HEAD.count("\n")


@pytest.fixture(autouse=True)
def there() -> Iterator[None]:
    with SimulatedAccelerator():
        yield


def failed(
    source: str, *arguments: Any, target: str = "f", device: str = "cuda", moved: bool = True
) -> tuple[BaseException, Sequence[object], Mapping[str, object]]:
    """The exception of a call of ``target`` with arguments on a device."""
    names = names_of(source)
    here = [move(argument, device) if moved else argument for argument in arguments]
    with pytest.raises(Exception) as seen:
        names[target](*here)
    return seen.value, here, names


def fault(source: str, *arguments: Any, **options: Any) -> Fault:
    error, here, names = failed(source, *arguments, **options)
    found = fault_of(error, arguments=here, names=names)
    assert found is not None
    reply = Reply(1, Outcome("raised", fault=found))
    assert decode(encode(reply), Reply) == reply  # it fits through the border
    return found


def test_all_of_a_fault() -> None:
    source = "def f(token_ids, table):\n    n = torch.arange(\n        token_ids.size(0),\n"
    source += "    ).float()\n    return n[:, None] + table\n"
    assert fault(source, torch.arange(3), torch.ones(3, 2)) == Fault(
        rule="mixed",
        op="add",
        tensor="cpu",
        main="cuda:0",
        shape=(3, 1),
        origin="made",
        cell=3,
        line=FIRST + 2,
        source="torch.arange( token_ids.size(0), )",
        beside="token_ids",
    )


def test_on_the_cpu_the_tensor_of_the_device_is_odd() -> None:
    found = fault(
        "def f(x):\n    y = torch.ones(2, device='cuda')\n    return x + y\n",
        torch.ones(2),
        device="cpu",
    )
    assert (found.tensor, found.main, found.beside) == ("cuda:0", "cpu", "x")
    assert found.source == "torch.ones(2, device='cuda')"


def test_other_rules() -> None:
    index = fault("def f(x, i):\n    return torch.ones(3)[i]\n", torch.ones(3), torch.tensor([0]))
    assert (index.rule, index.op, index.tensor) == ("index", "index", "cpu")
    array = fault("def f(x):\n    y = x * 2\n    return y.numpy()\n", torch.ones(3))
    assert (array.rule, array.op, array.tensor) == ("numpy", "numpy", "cuda:0")
    assert (array.origin, array.main) == ("unknown", "cpu")
    own = fault("def f(n):\n    return torch.ones(n, device='cuda').numpy()\n", 3)
    assert (own.origin, own.source) == ("made", "torch.ones(n, device='cuda')")
    gradient = fault(
        "def f(x):\n    x.requires_grad_()\n    x.grad = torch.ones(3)\n", torch.ones(3)
    )
    assert (gradient.rule, gradient.op, gradient.source) == ("grad", "grad", "torch.ones(3)")


OPERATIONS, CONVERTED, CLASS, HOSTILE, MADE = table_beside(__file__).values()


@pytest.mark.parametrize("text", OPERATIONS)
def test_the_operation_is_named_as_the_student_called_it(text: str) -> None:
    assert fault(f"def f(x):\n    return {text}\n", torch.ones(3)).op == OPERATIONS[text]


@pytest.mark.parametrize("text", CONVERTED)
def test_where_it_was_made(text: str) -> None:
    found = fault(f"def f(x):\n    y = {text}\n    return x * y\n", torch.ones(3))
    assert (found.origin, found.source, found.cell, found.line) == (
        "made",
        CONVERTED[text],
        3,
        FIRST + 2,
    )


HELD = {
    "self.own": ("attribute", "Part.own"),
    "(2 * self.own.double()).abs()": ("attribute", "Part.own"),
    "self.shared": ("attribute", "Part.shared"),
    "self.deep['a'][0][0]": ("attribute", "Part.deep['a'][0][0]"),
    "self.deep[7]": ("attribute", "Part.deep[7]"),
    "self.layers[0].weight": ("layer", "Part.layers[0].weight"),
    "self.layers[1]['b'][0].bias": ("layer", "Part.layers[1]['b'].0.bias"),
    "self.right.cpu()": ("made", ""),
}


@pytest.mark.parametrize("text", HELD)
def test_who_holds_it(text: str) -> None:
    source = CLASS.replace("BODY", text)
    names = names_of(source)
    module, x = move(names["Whole"](), "cuda"), move(torch.ones(3), "cuda")
    with pytest.raises(RuntimeError) as seen:
        names["call"](module, x)
    for arguments in ((module, x), (x,)):  # also by the frames alone
        found = fault_of(seen.value, arguments=arguments, names={})
        assert found is not None
        assert (found.origin, found.name) == HELD[text]
        assert found.beside == "x"


def test_globals_and_arguments() -> None:
    source = "TABLE = torch.ones(3)\nnet = nn.Linear(3, 3)\nkept = {'a': [torch.ones(3)]}\n"
    source += "_cache = {'table': torch.ones(3)}\n"
    held = {"TABLE[:1] * 2": "TABLE", "net.weight": "net", "kept['a'][0]": "kept"}
    held["_cache['table']"] = "_cache"
    for text, name in held.items():
        found = fault(f"{source}def f(x):\n    return x + {text}\n", torch.ones(3))
        assert (found.origin, found.name) == ("global", name)
    source = "def f(first, second):\n    first = first.float()\n    return first + second\n"
    here = [torch.ones(2, dtype=torch.int64), move(torch.ones(2), "cuda")]
    found = fault(source, *here, moved=False)
    assert (found.origin, found.name, found.beside) == ("argument", "first", "second")
    found = fault("def f(*both):\n    return both[0] + both[1]\n", *here, moved=False)
    assert (found.origin, found.name) == ("argument", "argument 1")
    found = fault(
        "def f(batch, w):\n    return batch['x'][0] + w\n", {"x": [here[0]]}, here[1], moved=False
    )
    assert (found.origin, found.name) == ("argument", "batch")
    found = fault("def f(layer, x):\n    return layer(x)\n", nn.Linear(2, 2), here[1], moved=False)
    assert (found.origin, found.name, found.main) == ("argument", "layer", "cuda:0")


def test_beside_may_be_a_part_of_the_module() -> None:
    source = """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))
    def forward(self):
        return self.w + torch.ones(3)
"""
    names = names_of(source)
    module = move(names["M"](), "cuda")
    with pytest.raises(RuntimeError) as seen:
        module()
    found = fault_of(seen.value, arguments=[module], names={})
    assert found is not None and found.beside == "self.w"


def trap_with(rows: object) -> nn.Module:
    module = nn.Module()
    module.rows = rows
    return module


def test_nothing_of_the_students_is_called() -> None:
    error, here, names = failed(HOSTILE, torch.ones(3))
    rows = [[[n] * 200 for n in range(200)] for _ in range(200)]
    names = {**names, **{f"global{n}": rows for n in range(3000)}}
    with costs_at_most(4.0):  # without a bound it takes minutes
        found = fault_of(error, arguments=[*here, names["trap"]], names=names)
    assert found is not None and (found.origin, found.name) == ("attribute", "Bad.late")
    with costs_at_most(4.0):  # without a bound it takes minutes
        source = "def f(x):\n    return x + torch.ones(3)\n"
        error, here, _ = failed(source, torch.ones(3))
        found = fault_of(error, arguments=[*here, rows, trap_with(rows)], names=names)
    assert found is not None and found.source == "torch.ones(3)"


def test_objects_of_libraries_are_not_searched() -> None:
    source = "y = torch.ones(3)\nimport fractions\nkept = fractions.Fraction\n"
    source += "class Kept(kept): pass\nKept.__module__ = 'fractions'\nz = Kept(1)\nz.y = y\n"
    found = fault(f"{source}def f(x):\n    return x + y\n", torch.ones(3))
    assert (found.origin, found.name) == ("global", "y")


def test_an_explanation_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.runner.simulated_device.origins.search", lambda *a, **k: 1 / 0)
    found = fault("def f(x):\n    return x + torch.ones(3)\n", torch.ones(3))
    assert found == Fault("mixed", "add")


@pytest.mark.parametrize("case", MADE)
def test_the_maker_is_quoted_with_a_name_that_can_be_used_there(case: str) -> None:
    source, expected = MADE[case]
    explained = fault(source, torch.ones(3))
    assert (explained.origin, explained.source, explained.beside) == ("made", *expected)


def test_texts_are_bounded() -> None:
    name = "n" * 500
    found = fault(
        f"def f(x):\n    return x + torch.ones(3, {'+'.join(['1'] * 400)}).sum(1)\n", torch.ones(3)
    )
    assert len(found.source) == 300
    found = fault(
        f"{name} = torch.ones(3)\ndef f({'x' * 400}):\n    return {'x' * 400} + {name}\n",
        torch.ones(3),
    )
    assert (len(found.name), len(found.beside)) == (300, 300)


def test_no_fault_of_the_devices() -> None:
    for source in (
        "def f(x):\n    raise RuntimeError('Expected all tensors')\n",
        "def f(x):\n    return x.view(7)\n",
        "def f(x):\n    return x.to('cuda:3')\n",
    ):
        error, here, names = failed(source, torch.ones(3))
        assert fault_of(error, arguments=here, names=names) is None


UNTOLD = {
    "refuse()": "",
    "x.view(7)": "",
    "x.cpu().requires_grad_().numpy()": "",
    "F.embedding(torch.tensor([9]).cuda(), torch.ones(2, 2).cuda())": "",
    "torch.polar(x.half(), x.half())": "\"polar_cpu\" not implemented for 'Half'",
    "flex_attention(*[x.expand(1, 1, 3, 3)] * 3)": OPERATOR,
    "x.to('no such device')": ITSELF,
    "x.nothing": "",
    "x + torch.ones(3)": "",
    "x.to('cuda:1')": "",
    "torch.vmap(lambda row: row.stop())(x[None])": "",
    "boom(x.requires_grad_() * 1).sum().backward()": "",
}


@pytest.mark.parametrize("text", UNTOLD)
def test_what_the_simulation_cannot_tell(text: str) -> None:
    """What the simulation lacks is named; errors of the student, of torch and of the rules are
    errors."""
    source = "from torch.nn.attention.flex_attention import flex_attention\n"
    source += "def refuse():\n    raise NotImplementedError('mine')\n"
    source += "def wrong(gradient):\n    raise ValueError('mine')\n"
    source += "def boom(x):\n    x.register_hook(wrong)\n    return x\n"
    error, _, _ = failed(f"{source}def f(x):\n    return {text}\n", torch.ones(3))
    assert not_simulated(error) == UNTOLD[text]


def test_exceptions_that_refuse_to_be_looked_at() -> None:
    source = """
class Odd(Exception):
    __slots__ = ()
    def __setattr__(self, name, value): raise SystemExit
    def __str__(self): raise SystemExit
class Slow(Exception):
    __class__ = property(lambda self: 1 / 0)
def f(x, kind):
    raise kind()
def g(x):
    raise Odd()
def h(x):
    raise Slow()
"""
    for target in ("g", "h"):
        error, here, names = failed(source, torch.ones(3), target=target)
        assert not_simulated(error) == ""
        assert fault_of(error, arguments=here, names=names) is None
