"""podman as root or as another user, with a store of its own that is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

BUILD_S, RUN_S = 300, 240
NOBODY = 65534  # an ordinary user without further user ids: the least that rootless podman needs


@dataclass(frozen=True, slots=True)
class Engine:
    """How to call podman. ``user``: who calls it, ``None`` for the one who runs the tests."""

    folder: Path
    user: int | None = None

    def run(self, *arguments: str | Path, timeout: int = RUN_S) -> subprocess.CompletedProcess[str]:
        """Call podman and return how it ended."""
        return subprocess.run(
            [*self._as_user(), "podman", *self._store(), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            cwd=self.folder,
            env=self._environment(),
        )

    def give(self, folder: Path) -> None:
        """Let the user who calls podman own a folder and all that is in it."""
        if self.user is not None:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, self.user, self.user)

    def _store(self) -> list[str]:
        roots = ["--root", str(self.folder / "store"), "--runroot", str(self.folder / "run")]
        return [*roots, "--storage-driver", "overlay"]

    def _as_user(self) -> list[str]:
        if self.user is None:
            return []
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
            "XDG_RUNTIME_DIR": str(self.folder / "session"),
            "CONTAINERS_CONF": str(self.folder / "containers.conf"),
        }


def lacking() -> str:
    """Why podman is not to be called here; "" when it can be."""
    missing = [name for name in ("podman", "setpriv") if shutil.which(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


@contextlib.contextmanager
def engine(user: int | None = None) -> Iterator[Engine]:
    """An engine with an empty store; the store and its folder are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="podman-", dir="/var/tmp"))
    ours = Engine(folder, user)
    try:
        for name in ("tmp", "session"):
            (folder / name).mkdir(mode=0o700)
        (folder / "containers.conf").write_text(_settings())
        ours.give(folder)
        yield ours
    finally:
        ours.run("system", "reset", "--force")
        if user is None and os.geteuid() != 0:  # files of other user ids
            ours.run("unshare", "rm", "-rf", str(folder / "store"))
        shutil.rmtree(folder, ignore_errors=True)


def _settings() -> str:
    """No limit is raised, which not every root may; and runc, which knows every control group."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = 20_000 if most == resource.RLIM_INFINITY else min(20_000, most)
    runtime = 'runtime = "runc"\n' if shutil.which("runc") else ""
    managed = "" if Path("/run/systemd/system").is_dir() else 'cgroup_manager = "cgroupfs"\n'
    return (
        f'[containers]\ndefault_ulimits = ["nofile=1024:{files}", "nproc=4096:4096"]\n'
        f'[engine]\nevents_logger = "file"\n{runtime}{managed}'
    )


def last_words(done: subprocess.CompletedProcess[str], lines: int = 3) -> str:
    """The end of what a call said, for a reason to skip or to fail."""
    said: Sequence[str] = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return "\n".join(said[-lines:])
