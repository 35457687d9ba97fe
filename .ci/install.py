"""Makes a virtual environment and installs packages into it with uv, in a fraction of pip's time.

    python3 .ci/install.py PLACE                   # a new environment with uv and pip
    PLACE/bin/python .ci/install.py OTHER ...      # `uv pip install ...` into it or another one

The second form uses the uv of the first, and makes OTHER if need be. uv does not read pip's
settings; what they say of indexes, folders of wheels, certificates and proxies is handed on to it.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

CONSTRAINTS = Path(__file__).parent.with_name("constraints.txt")
# a setting of pip -> the variable that tells uv
VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "trusted-host": "UV_INSECURE_HOST",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "timeout": "UV_HTTP_TIMEOUT",
    "retries": "UV_HTTP_RETRIES",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
}
PROBE_S = 8  # until PyTorch's index has answered


def main() -> int:
    """Returns the exit status; what went wrong has been said by the program that failed."""
    parser = argparse.ArgumentParser(description="Makes a virtual environment; installs into it.")
    parser.add_argument("--what", default="uv", help="what is installed, for the line that says so")
    parser.add_argument("--python", default=sys.executable, help="for a new environment")
    parser.add_argument("--torch", action="store_true", help="take the build for this machine")
    parser.add_argument("--warm", default="", help="packages that the sandbox will import, a,b,c")
    parser.add_argument("place", type=Path, help="the folder of the environment")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="those of `uv pip install`")
    options = parser.parse_args()
    try:
        with step(f"Setting up {options.place}: {options.what}"):
            if options.arguments:
                uv = Uv(Path(sys.executable).with_name("uv"), options.place, settings_of_pip())
                uv.install(options.arguments, python=options.python, torch=options.torch)
            else:
                bootstrap(options.place)
        if options.warm:
            with step("Compiling what the sandbox imports"):
                warm(options.place, options.warm.split(","))
    except subprocess.CalledProcessError as failed:
        return failed.returncode
    return 0


@contextmanager
def step(what: str) -> Iterator[None]:
    """Says what is being done, and then how long it took."""
    print(f"{what} ...", flush=True)
    begun = time.monotonic()
    yield
    print(f"  took {time.monotonic() - begun:.0f} s", flush=True)


def bootstrap(place: Path) -> None:
    """A new environment with uv and pip, both installed by pip.

    Unpacking the pip that comes with Python takes longer than all the rest, so that it is done
    only where this Python has no pip that can install into another environment.
    """
    python = place / "bin/python"
    able = version_of_pip() >= (22, 3)
    if not python.exists():
        without = ["--without-pip"] if able else []
        subprocess.run([sys.executable, "-m", "venv", *without, place], check=True)
    pip = [sys.executable, "-m", "pip", "--python", python] if able else [python, "-m", "pip"]
    quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
    subprocess.run([*pip, "install", *quiet, "-c", CONSTRAINTS, "uv", "pip"], check=True)


def warm(place: Path, packages: list[str]) -> None:
    """Import what the sandbox will, so that Python keeps the compiled code.

    uv compiles nothing, and to compile all that is installed takes four times as long as this. The
    sandbox itself can write nothing, and would compile it again at each start.
    """
    code = "from autograder.runner.warm import prepare; "
    code += f"prepare({packages}, models='', device=False)"
    subprocess.run([place / "bin/python", "-c", code], check=True)


def version_of_pip() -> tuple[int, ...]:
    """Of the Python that runs this; () where it has none."""
    try:
        return tuple(int(part) for part in metadata.version("pip").split(".")[:2])
    except metadata.PackageNotFoundError:
        return ()


class Uv:
    """uv for one environment."""

    def __init__(self, program: Path, place: Path, settings: Mapping[str, str]) -> None:
        self._program = program
        self._place = place
        self._variables = {**variables(settings), **os.environ}
        self._no_index = settings.get("no-index", "").lower() in ("1", "true", "yes", "on")

    def install(self, arguments: list[str], *, python: str, torch: bool) -> None:
        """Install; raises ``CalledProcessError``."""
        if not (self._place / "bin/python").exists():
            command = [self._program, "venv", "--quiet", "--python", python, self._place]
            subprocess.run(command, env=self._variables, check=True)
        backend = self._backend() if torch else []
        command = self._command("--quiet", *backend, *arguments)
        subprocess.run(command, env=self._variables, check=True)

    def _backend(self) -> list[str]:
        """The option that takes the build of torch for this machine: for its GPU, or the CPU.

        These builds are in indexes of their own. A wheel in one of pip's folders comes first.
        """
        if self._no_index or self._offers("--no-index"):
            return []
        if self._offers("--torch-backend=auto"):
            return ["--torch-backend=auto"]
        print("  PyTorch's own index cannot be reached: the usual build of torch is taken")
        return []

    def _offers(self, option: str) -> bool:
        """Whether torch is to be had, as far as can be told within a few seconds."""
        command = self._command("--dry-run", "--no-deps", option, "-c", CONSTRAINTS, "torch")
        try:
            done = subprocess.run(
                command,
                env={**self._variables, "UV_HTTP_RETRIES": "0"},
                capture_output=True,
                timeout=PROBE_S,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def _command(self, *arguments: str | Path) -> list[str | Path]:
        no_index = ["--no-index"] if self._no_index else []
        return [self._program, "pip", "install", "--python", self._place, *no_index, *arguments]


def settings_of_pip() -> dict[str, str]:
    """What pip's configuration files and environment say, by the setting's name."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        section, _, setting = name.rpartition(".")
        found.get(section, {})[setting] = ast.literal_eval(value)
    return found["global"] | found["install"] | found[":env:"]


def variables(settings: Mapping[str, str]) -> dict[str, str]:
    """The same for uv, which takes the first index that has a package unless told otherwise."""
    told = {VARIABLES[name]: value for name, value in settings.items() if name in VARIABLES}
    if "UV_FIND_LINKS" in told:
        told["UV_FIND_LINKS"] = ",".join(told["UV_FIND_LINKS"].split())
    if "UV_INDEX" in told:
        told["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return told


if __name__ == "__main__":
    sys.exit(main())
