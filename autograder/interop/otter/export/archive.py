"""autograder.zip in otter-grader 7's layout: its scripts, the settings, tests and files.

Equal contents give equal bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from typing import Any

import yaml

from autograder.assignment.packages import TORCH, name_for_pip

OTTER = "7.0.0"
PYTHON = "3.13"  # of the image that otter builds
PLUGIN = "autograder.interop.otter.export.plugin.Graded"
PLACE = "/autograder/source"  # where the zip is unpacked for grading

_CPU_BUILDS = "--extra-index-url https://download.pytorch.org/whl/cpu"  # of torch: no CUDA
_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip file
_MINIFORGE = "25.3.1-0"
_RUN = f"""#!/bin/bash
export PATH=/root/miniforge3/bin:$PATH
eval "$(mamba shell hook --shell bash)"
mamba activate otter-env
python {PLACE}/run_otter.py
"""
_RUN_OTTER = '''"""Runs otter's grading."""

from otter.run.run_autograder import main

if __name__ == "__main__":
    main("/autograder")
'''
_SET_UP = f"""#!/usr/bin/env bash

set -e

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y wget

wget -nv "https://github.com/conda-forge/miniforge/releases/download/{_MINIFORGE}/\\
Miniforge3-Linux-$(uname -m).sh" -O {PLACE}/mamba_install.sh
chmod +x {PLACE}/mamba_install.sh
{PLACE}/mamba_install.sh -b
echo "export PATH=/root/miniforge3/bin:\\$PATH" >> /root/.bashrc

export PATH=/root/miniforge3/bin:$PATH
export TAR="/bin/tar"

mamba env create -f {PLACE}/environment.yml
mamba shell init --shell bash
"""


def archive_files(
    *,
    tests: Mapping[str, bytes],
    files: Mapping[str, bytes],
    wheel: tuple[str, bytes],
    packages: Sequence[str],
    require: str,
) -> Mapping[str, bytes]:
    """All files of the zip by name. ``wheel``: name and bytes of the grader's wheel;
    ``packages``: those that the notebooks use; ``require``: the plugin's setting."""
    name, content = wheel
    return {
        "run_autograder": _RUN.encode(),
        "run_otter.py": _RUN_OTTER.encode(),
        "setup.sh": _SET_UP.encode(),
        "environment.yml": environment(name, packages),
        "otter_config.json": settings(require),
        name: content,
        **{f"tests/{file}": data for file, data in tests.items()},
        **{f"files/{file}": data for file, data in files.items()},
    }


def settings(require: str) -> bytes:
    """otter_config.json: only settings that differ from otter's defaults."""
    made = {"lang": "python", "plugins": [{PLUGIN: {"require": require}}]}
    return (json.dumps(made, indent=2) + "\n").encode()


def environment(wheel: str, packages: Sequence[str]) -> bytes:
    """environment.yml, which installs the wheel from the unpacked zip."""
    pip = [
        *_indexes(packages),
        f"otter-grader[grading,plugins]=={OTTER}",
        f"{PLACE}/{wheel}",
        *_pinned(packages),
    ]
    made: dict[str, Any] = {
        "name": "otter-env",
        "channels": ["conda-forge"],
        "dependencies": [f"python={PYTHON}", "pip", "jupyter_server", {"pip": pip}],
    }
    return str(yaml.safe_dump(made, sort_keys=False)).encode()


def environment_needs(wheel: str, packages: Sequence[str]) -> bytes:
    """requirements.txt for `otter run`, which prepares no environment; the wheel is next to it."""
    lines = [
        *_indexes(packages),
        f"otter-grader=={OTTER}",
        "ipykernel",
        f"./{wheel}",
        *_pinned(packages),
    ]
    return ("\n".join(lines) + "\n").encode()


def _indexes(packages: Sequence[str]) -> tuple[str, ...]:
    return (_CPU_BUILDS,) if TORCH in packages else ()


def _pinned(packages: Sequence[str]) -> Iterator[str]:
    """These packages in the versions that are installed here, where they are. A version without
    "+cpu" takes the build from the index that has it, and any other one elsewhere."""
    for name in map(name_for_pip, packages):
        try:
            yield f"{name}=={metadata.version(name).partition('+')[0]}"
        except metadata.PackageNotFoundError:
            yield name


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """A zip file of these files, sorted by name."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            runs = name in ("run_autograder", "setup.sh")
            entry.external_attr = (0o755 if runs else 0o644) << 16
            entry.create_system = 3
            archive.writestr(entry, data)
    return held.getvalue()
