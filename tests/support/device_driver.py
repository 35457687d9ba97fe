"""Runs one of the device cases somewhere and says what became of it.

The same driver serves the simulation and a real device. Numbers are compared with formulas of
its own, on the CPU.
"""

from __future__ import annotations

import linecache
import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from autograder.runner.simulated_device.labels import device_of
from tests.support.device_cases import Case, Verdict

HEAD = (
    "import math\nimport numpy as np\nimport torch\nimport torch.nn as nn\n"
    "import torch.nn.functional as F\n"
)
FILE = "<cell 3>"
D, T = 8, 5
Family = Callable[[dict[str, Any], str, list[Any]], None]  # with a list for what was at hand


@dataclass(frozen=True)
class Seen:
    """A verdict; for an error also the student's line, and what was at hand."""

    verdict: Verdict
    error: BaseException | None = None
    line: str = ""
    arguments: tuple[Any, ...] = ()
    names: dict[str, Any] | None = None


class Differs(Exception):
    """The numbers are wrong."""


class Elsewhere(Exception):
    """The result is on another device."""


def names_of(source: str) -> dict[str, Any]:
    """A fresh run of a source as a cell; its names."""
    text = HEAD + source
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, FILE, "exec"), names)
    return names


def run(case: Case, device: str) -> Seen:
    """Carry a case out on a device, in the surroundings that the caller has made."""
    at_hand: list[Any] = []
    names: dict[str, Any] = {}
    try:
        torch.manual_seed(0)
        names.update(names_of(case.source))
        FAMILIES[case.family](names, device, at_hand)
    except Differs:
        return Seen("V")
    except Elsewhere:
        return Seen("D")
    except Exception as error:
        lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILE]
        line = lines[-1].line or "" if lines else ""
        return Seen("E", error, line, tuple(at_hand), names)
    return Seen("ok")


def settled(result: torch.Tensor, device: str, wanted: torch.Tensor) -> None:
    """Raises unless a result is where it should be and right; its gradient is taken, too."""
    if device_of(result).type != device:
        raise Elsewhere
    numbers = result.detach().cpu().to(wanted.dtype)
    if numbers.shape != wanted.shape or not torch.allclose(numbers, wanted, 1e-4, 1e-5):
        raise Differs
    if result.requires_grad:
        result.float().sum().backward()


def table(positions: torch.Tensor, d: int) -> torch.Tensor:
    """The sinusoidal table [n, d], computed in Python floats."""
    rows = [
        [(math.sin, math.cos)[k % 2](p / 10000 ** ((k - k % 2) / d)) for k in range(d)]
        for p in positions.tolist()
    ]
    return torch.tensor(rows)


def rotated(q: torch.Tensor) -> torch.Tensor:
    """Pairs of neighbours in the last axis, turned by position times frequency."""
    angle = torch.tensor(
        [
            [p / 10000 ** (2 * k / q.shape[-1]) for k in range(q.shape[-1] // 2)]
            for p in range(q.shape[-2])
        ]
    )
    turned = torch.complex(q[..., 0::2], q[..., 1::2]) * torch.exp(1j * angle)
    return torch.view_as_real(turned).flatten(-2)


def _pe(names: dict[str, Any], device: str, at_hand: list[Any]) -> None:
    positions = torch.arange(7)
    wanted = table(positions, D)
    at_hand += [positions.to(device), D]
    settled(names["sinusoidal_pe"](*at_hand), device, wanted)


Made = tuple[nn.Module, torch.Tensor, torch.Tensor]  # a module, what it gets, and what is wanted


def _module(make: Callable[[dict[str, Any]], Made]) -> Family:
    """The module and what it gets are moved to the device."""

    def family(names: dict[str, Any], device: str, at_hand: list[Any]) -> None:
        module, given, wanted = make(names)
        at_hand += [module.to(device), given.to(device)]
        settled(module(at_hand[1]), device, wanted)

    return family


def _encoding(names: dict[str, Any]) -> Made:
    x = torch.randn(2, T, D)
    return names["PositionalEncoding"](D), x, x + table(torch.arange(T), D)


def _used_encoding(names: dict[str, Any]) -> Made:
    module, x, wanted = _encoding(names)
    module(x)
    return module, x, wanted


def _learned(names: dict[str, Any]) -> Made:
    x = torch.randn(2, T, D)
    module = names["LearnedPositionalEmbedding"](32, D)
    return module, x, x + module.emb.weight.detach().clone()[:T]


def _embeddings(names: dict[str, Any]) -> Made:
    ids = torch.randint(0, 11, (2, T))
    module = names["GPT2Embeddings"](11, 32, D)
    tokens, places = module.wte.weight.detach().clone(), module.wpe.weight.detach().clone()
    wanted = torch.stack([torch.stack([tokens[i] for i in row]) for row in ids.tolist()])
    return module, ids, wanted + places[:T]


def _rotary(names: dict[str, Any]) -> Made:
    q = torch.randn(2, 3, T, D)
    return names["RoPE"](D), q, rotated(q)


def _pipeline(names: dict[str, Any], device: str, at_hand: list[Any]) -> None:
    ids = torch.randint(0, 11, (2, T))
    module = names["Model"]()
    logits = predicted({k: v.detach().clone() for k, v in module.state_dict().items()}, ids)
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    at_hand += [module, ids, device]
    total, found = names["train_step"](module, ids, device)
    settled(found.detach(), device, logits)
    if not math.isclose(float(total), float(loss), rel_tol=1e-4):
        raise Differs


def predicted(state: dict[str, torch.Tensor], ids: torch.Tensor) -> torch.Tensor:
    """Logits [B, T, vocab] of the small model from its state dict."""
    h = state["tok.weight"][ids] + state["pos.weight"][: ids.shape[1]]
    q, k, v = (h @ state["qkv.weight"].T + state["qkv.bias"]).split(D, -1)
    scores = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(D)
    future = torch.arange(T)[None] > torch.arange(T)[:, None]
    weights = torch.exp(scores - scores.amax(-1, keepdim=True)) * ~future
    h = h + (weights / weights.sum(-1, keepdim=True)) @ v
    norm = nn.functional.layer_norm(h, (D,), state["ln.weight"], state["ln.bias"])
    return norm @ state["head.weight"].T + state["head.bias"]


def _free(names: dict[str, Any], device: str, at_hand: list[Any]) -> None:
    at_hand += [device]
    result = names["main"](device)
    settled(result, device, torch.tensor(names["WANTED"]).to(result.dtype))


FAMILIES: dict[str, Family] = {
    "pe": _pe,
    "pemod": _module(_encoding),
    "pemod2": _module(_used_encoding),
    "learn": _module(_learned),
    "gpt2": _module(_embeddings),
    "rope": _module(_rotary),
    "ropec": _module(_rotary),
    "pipe": _pipeline,
    "free": _free,
}
