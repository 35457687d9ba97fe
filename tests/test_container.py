"""The image: built without a network, run as docs/examples say, as root and rootless.

The packages of this machine are mounted into it, and its Python is this machine's: see
tests/support/container.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.sandbox.isolation.world import closed_to_others
from tests.support.container import engine, rootfs, wheels
from tests.support.container.engine import NOBODY, Engine, last_words

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "assignments" / "embeddings-and-position" / "examples"
COMPOSE = ROOT / "docs" / "examples" / "compose.yaml"
JOB = ROOT / "docs" / "examples" / "job.yaml"
EXTRAS = ("pretrained", "postgresql", "web")
NAME = "localhost/autograder:test"
STRONG = ("--security-opt", "unmask=ALL")  # what docs/containers.md says of it
GRADE = ("grade", "embeddings-and-position", "/in", "--out", "/out", "--no-figures")


@dataclass(frozen=True, slots=True)
class Image:
    """The grader's image in a store, and the user in it that is whoever owns the folders here."""

    engine: Engine
    user: str
    mounts: tuple[str, ...]

    def run(self, *arguments: str | Path, flags: tuple[str, ...] = ()) -> Any:
        """Run a command of the grader under the flags of the compose file."""
        known = service_flags(yaml.safe_load(COMPOSE.read_text())["services"]["grade"])
        user = ("--user", self.user)
        start = ("run", "--rm", "--pull=never", *known, *self.mounts, *user, *flags)
        return self.engine.run(*start, NAME, *arguments)

    def folder(self, name: str) -> Path:
        """A new folder that belongs to the user."""
        folder = self.engine.folder / name
        folder.mkdir()
        if os.geteuid() == 0 and self.engine.user is None:
            os.chown(folder, *map(int, self.user.split(":")))
        self.engine.give(folder)
        return folder


def service_flags(service: Mapping[str, Any]) -> list[str]:
    """podman's flags for a service of a compose file, but for its user, image and volumes."""
    single = {"read_only": "--read-only"}
    valued = {"network_mode": "--network", "pids_limit": "--pids-limit", "mem_limit": "--memory"}
    listed = {"cap_drop": "--cap-drop", "security_opt": "--security-opt", "tmpfs": "--tmpfs"}
    known = {*single, *valued, *listed, "build", "image", "command", "user", "volumes"}
    assert set(service) <= known
    flags = [flag for key, flag in single.items() if service.get(key)]
    flags += [f"{flag}={service[key]}" for key, flag in valued.items() if key in service]
    return flags + [f"{flag}={one}" for key, flag in listed.items() for one in service.get(key, ())]


# ---------------------------------------------------------------- the image


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with base.tar and wheels/, that everybody can read."""
    if sys.platform != "linux":
        pytest.skip("containers of Linux are tried on Linux only")
    folder = tmp_path_factory.mktemp("base")
    if why := engine.lacking() or rootfs.lacking() or wheels.lacking(EXTRAS):
        pytest.skip(f"no image is built here: {why}")
    rootfs.write_base(folder / "base.tar", wheels.site_packages())
    (folder / "wheels").mkdir()
    wheels.write_wheels(folder / "wheels", EXTRAS)
    return folder


@pytest.fixture(scope="module", params=["root", "rootless"])
def image(request: pytest.FixtureRequest, base: Path) -> Iterator[Image]:
    """The image, built by root and by an ordinary user."""
    root = os.geteuid() == 0
    if request.param == "root" and not root:
        pytest.skip("the tests do not run as root")
    user = NOBODY if root and request.param == "rootless" else None
    closed = closed_to_others([str(wheels.site_packages()), str(ROOT)]) if user else ""
    if closed:
        pytest.skip(f"other users may not enter {closed}")
    with engine.engine(user) as ours:
        # who maps no further user ids is root inside, and nobody else
        user_inside = "10001:10001" if request.param == "root" else "0:0"
        yield Image(ours, user_inside, build(ours, base))


def build(ours: Engine, base: Path) -> tuple[str, ...]:
    """Build it without a network; skips where podman cannot run anything."""
    given = ours.folder / "base"
    shutil.copytree(base, given)
    ours.give(given)
    packages = f"{wheels.site_packages()}:{wheels.MOUNTED}:ro"
    (given / "Containerfile").write_text(
        "FROM scratch\nADD base.tar /\nRUN echo /usr/local/lib > /etc/ld.so.conf && ldconfig\n"
    )
    done = ours.run("build", "--network=none", "--tag=localhost/base", given)
    if done.returncode:
        pytest.skip(f"podman cannot run a container here: {last_words(done)}")
    options = (
        f"--tag={NAME} --network=none --pull-never --layers=false --build-arg=BASE=localhost/base "
        "--build-arg=PIP_NO_INDEX=1 --build-arg=PIP_FIND_LINKS=/wheels"
    )
    volumes = ("--volume", f"{given / 'wheels'}:/wheels:ro", "--volume", packages)
    done = ours.run("build", *options.split(), *volumes, ROOT, timeout=engine.BUILD_S)
    assert done.returncode == 0, last_words(done, 30)
    data = Path(sys.prefix, "share", "jupyter")  # of nbconvert
    return "--volume", packages, "--volume", f"{data}:/opt/venv/share/jupyter:ro"


def test_it_runs_as_nobody_special_and_stops_when_asked(image: Image) -> None:
    (found,) = json.loads(image.engine.run("image", "inspect", NAME).stdout)
    config = found["Config"]
    assert config["User"] == "10001:10001" and config["Entrypoint"] == ["autograder"]
    assert config["StopSignal"] in ("SIGINT", "2")
    done = image.run()
    assert done.returncode == 0, last_words(done)
    assert "Usage: autograder" in done.stdout


LISTING = """
import json, pathlib
roots = [pathlib.Path(p) for p in ("/opt", "/assignments", "/solutions", "/student_templates")]
files = [str(p) for root in roots for p in root.rglob("*") if p.is_file()]
print(json.dumps([files, sorted(str(p) for p in pathlib.Path("/").iterdir())]))
"""


def test_it_holds_the_grader_and_the_course_and_nothing_else_of_ours(image: Image) -> None:
    done = image.run("-c", LISTING, flags=("--entrypoint", "python"))
    files, top = json.loads(done.stdout)
    ours = [f for f in files if not f.startswith("/opt/venv/")]
    assert {
        "/opt/autograder/autograder/cli.py",
        "/assignments/embeddings-and-position/assignment.toml",
        "/solutions/embeddings-and-position/solution.py",
    } <= {*ours}
    assert any(f.startswith("/assignments/embeddings-and-position/models/") for f in ours)
    foreign = ("/tests/", "/.git", "constraints.txt", "pyproject.toml", ".egg-info", "/build/")
    assert not [f for f in ours if any(word in f for word in foreign)]
    assert "/course" not in top and "/tests" not in top
    package = {f for f in ours if f.startswith("/opt/autograder/") and f.endswith(".py")}
    compiled = {f for f in ours if f.startswith("/opt/autograder/") and f.endswith(".pyc")}
    assert len(compiled) == len(package)  # for nothing can be compiled later
    tools = re.compile("/site-packages/pip/|/bin/uv$|/pytest/|/mypy/")
    assert not [f for f in files if tools.search(f)]


# ---------------------------------------------------------------- grading in it


def hand_ins(image: Image, *students: str) -> Path:
    folder = image.folder("in")
    for student in students:
        shutil.copy(EXAMPLES / f"{student}.ipynb", folder)
    return folder


@pytest.fixture(scope="module")
def graded(image: Image) -> Mapping[str, Any]:
    """Two of the sample class, graded at the best level there is: results by student."""
    source = hand_ins(image, "student-02", "student-10")
    out = image.folder("out")
    level = ("--require", "strong") if image.user != "0:0" else ()
    flags = ("--volume", f"{source}:/in:ro", "--volume", f"{out}:/out", *STRONG)
    done = image.run(*GRADE, *level, flags=flags)
    assert done.returncode == 0, last_words(done, 20)
    return {p.stem: json.loads(p.read_text()) for p in (out / "results").glob("*.json")}


def test_a_class_is_graded_in_it(graded: Mapping[str, Any]) -> None:
    assert sorted(graded) == ["student-02", "student-10"]
    assert {one["status"] for one in graded.values()} == {"graded"}
    assert graded["student-02"]["score"] == graded["student-02"]["max_score"] + 4  # extra ones
    assert graded["student-10"]["score"] == 0


def test_results_tell_the_level_that_its_flags_give(
    graded: Mapping[str, Any], image: Image
) -> None:
    wanted = "medium" if image.user == "0:0" else "strong"
    assert {one["isolation"]["level"] for one in graded.values()} == {wanted}


def test_less_isolation_than_asked_for_stops_before_any_hand_in(
    graded: Mapping[str, Any], image: Image
) -> None:
    out = image.folder("refused")
    flags = ("--volume", f"{image.engine.folder / 'in'}:/in:ro", "--volume", f"{out}:/out")
    done = image.run(*GRADE, "--require", "strong", flags=flags)
    assert done.returncode == 2 and "isolation on this machine is 'medium'" in done.stderr
    assert not (out / "results").exists() and not list(out.rglob("*.evidence"))


def test_results_that_cannot_be_written_are_told(graded: Mapping[str, Any], image: Image) -> None:
    out = image.folder("closed")
    source = f"{image.engine.folder / 'in'}:/in:ro"
    done = image.run(*GRADE, flags=("--volume", source, "--volume", f"{out}:/out:ro"))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "/out/" in done.stderr and "cannot be written" in done.stderr


def test_attacks_are_contained_in_it(image: Image) -> None:
    found = json.loads(image.run("doctor", "--attacks", "--json").stdout)
    assert found["level"] == "medium" and len(found["attacks"]) == 10
    assert not any(found["attacks"].values())


# ---------------------------------------------------------------- manifests


def test_the_manifests_close_what_can_be_closed() -> None:
    job, policy = yaml.safe_load_all(JOB.read_text())
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["automountServiceAccountToken"] is False and pod["restartPolicy"] == "Never"
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] == 10001
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    service = yaml.safe_load(COMPOSE.read_text())["services"]["grade"]
    assert container["args"][:5] == service["command"]
    inside = {one["mountPath"] for one in container["volumeMounts"]}
    assert inside == {"/in", "/out", "/tmp"} and "/in" in str(service["volumes"])
    assert {v["name"] for v in pod["volumes"]} == {m["name"] for m in container["volumeMounts"]}
    labels = job["spec"]["template"]["metadata"]["labels"]
    assert policy["spec"]["podSelector"]["matchLabels"] == labels
    assert "egress" not in policy["spec"] and "ingress" not in policy["spec"]
