"""A PostgreSQL server of the tests' own, on a socket in a folder of its own; and why there is none.

It is started as the user `postgres` where the tests run as root, which the server refuses.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL

FOLDERS = ("/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt")
USER = "postgres"


def programs() -> Path | None:
    """The folder of `initdb` and `postgres`, the newest version first."""
    if found := shutil.which("initdb"):
        return Path(os.path.realpath(found)).parent
    for folder in FOLDERS:
        versions = sorted(Path(folder).glob("*/bin/initdb"), reverse=True)
        if versions:
            return versions[0].parent
    return None


def lacking() -> str:
    """Why no server can be started here; "" when one can."""
    if programs() is None:
        return "PostgreSQL is not installed"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "PostgreSQL does not run as root, and there is no setpriv"
    try:
        pwd.getpwnam(USER)
    except KeyError:
        return "there is no user postgres" if os.geteuid() == 0 else ""
    return ""


@contextmanager
def server() -> Iterator[str]:
    """The URL of an empty database; the server and its files are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    bin_ = programs()
    assert bin_ is not None
    before: list[str] = []
    if os.geteuid() == 0:
        entry = pwd.getpwnam(USER)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        before = ["setpriv", f"--reuid={USER}", f"--regid={entry.pw_gid}", "--clear-groups"]

    def run(*command: str | Path) -> None:
        subprocess.run(
            [*before, *command], check=True, cwd=folder, timeout=120, stdout=DEVNULL, stderr=DEVNULL
        )

    data, control = folder / "data", (bin_ / "pg_ctl", "-D", folder / "data")
    options = f"-k {folder} -c listen_addresses='' -c max_connections=20"
    try:
        run(bin_ / "initdb", "-D", data, "-U", USER, *"-A trust -E UTF8 -N --no-locale".split())
        run(*control, "-w", "-t", "60", "-o", options, "start")
        try:
            yield f"postgresql://{USER}@/postgres?host={folder}"
        finally:
            with suppress(subprocess.SubprocessError):
                run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
