"""A real accelerator in the child: first use, the bound on its memory, waiting for results.

Covered: what torch's own allocator takes. Not covered: what a device's context takes in addition
(some hundred MB), and code that allocates without torch.
"""

from __future__ import annotations

import torch

MEBI = 1024**2
_wait = {"cuda": torch.cuda.synchronize, "mps": torch.mps.synchronize}
_seed = {"cuda": torch.cuda.manual_seed_all, "mps": torch.mps.manual_seed}
_bound = {
    "cuda": torch.cuda.set_per_process_memory_fraction,
    "mps": torch.mps.set_per_process_memory_fraction,
}


def begin(device: str, device_mb: int) -> None:
    """Make the device's context and limit how much of its memory this process may take.

    A product of matrices loads the libraries whose cost the first call would otherwise pay. Raises
    ``RuntimeError`` and its kin when the device cannot be used; no student code has run then.
    """
    _bound[device](min(1.0, device_mb * MEBI / total_bytes(device)))
    square = torch.ones(8, 8, device=device)
    (square @ square).sum().item()
    settle(device)


def seed(device: str, number: int) -> None:
    """Seed the device's own generator: its random numbers are not those of the CPU."""
    _seed[device](number % 2**63)


def total_bytes(device: str) -> int:
    """The device's memory in bytes; the limit is a share of it."""
    if device == "mps":
        return torch.mps.recommended_max_memory()
    return int(torch.cuda.get_device_properties(0).total_memory)


def settle(device: str) -> None:
    """Wait until all work is done, so that an error shows in the call that caused it."""
    _wait[device]()
