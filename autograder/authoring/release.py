"""Generates what students get from the solution: the notebook, the public evidence, the package.

Covered: nothing is returned unless the blank notebook runs and no file contains a secret of the
assignment.
Not covered: what ``leak_check`` lists as not covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import nbformat

from autograder.assignment.data_files import FOLDER, names_of
from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.authoring.blank_run import blank_problems, run_blank
from autograder.authoring.leak_check.secret_set import SecretSet, told
from autograder.authoring.leak_check.values import EMPTY, kept_back
from autograder.authoring.packages.needed_files import modules_of
from autograder.authoring.packages.wheels import DATA, student_files, student_wheel
from autograder.authoring.small_calls import with_small_calls
from autograder.authoring.validation.agreement import differences
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import Report, read_solution, refuse_brought, variants_in
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SpecError, StoreError
from autograder.execution.engines.base import Engine
from autograder.files import scratch_folder
from autograder.grading.context import GradingContext, PreparedClass
from autograder.notebook.formats.read import read
from autograder.notebook.structure.outline import outline_of
from autograder.notebook.template.editions import colab_bytes, light_bytes, package_url_in
from autograder.notebook.template.release import notebook_bytes, read_template
from autograder.student.public_evidence import (
    FILE,
    SEED,
    PublicEvidence,
    public_bytes,
    public_evidence,
    read_public,
)

SHOWN = 5  # differences of one file
STUDENT = "autograder.student"  # the package that students import


@dataclass(frozen=True, slots=True)
class ReleaseOptions:
    """What to generate besides the notebook and the public evidence. ``package``: the wheel's
    folder; ``package_url``: where the notebook for Colab finds the wheel."""

    colab: bool = False
    light: bool = False
    package: Path | None = None
    package_url: str = ""


ONLY_THE_NOTEBOOK = ReleaseOptions()


@dataclass(frozen=True, slots=True)
class Release:
    """Files with their contents."""

    files: Mapping[Path, bytes]

    def stale(self) -> Iterator[tuple[Path, str]]:
        """Files on disk that do not agree with the solution, and why. Raises ``StoreError``."""
        for path, content in self.files.items():
            if not path.is_file():
                yield path, "the file does not exist"
            elif path.name == FILE:
                old = read_public(path.read_bytes(), name=str(path))
                if clauses := differences(old, read_public(content)):
                    more = f"; and {len(clauses) - SHOWN} more" if len(clauses) > SHOWN else ""
                    yield path, f"out of date: {'; '.join(clauses[:SHOWN])}{more}"
            elif path.read_bytes() != content:
                yield path, "differs from what the solution generates"


def existing(loaded: Loaded) -> ReleaseOptions:
    """The files that already exist next to the notebook, to be generated again and compared."""
    colab, light = colab_path(loaded), light_path(loaded)
    url = package_url_in(colab.read_bytes()) if colab.is_file() else ""
    return ReleaseOptions(colab=colab.is_file(), light=light.is_file(), package_url=url)


def colab_path(loaded: Loaded) -> Path:
    """Where the notebook for Colab belongs."""
    return loaded.template.with_suffix(".colab.ipynb")


def light_path(loaded: Loaded) -> Path:
    """Where the notebook as a Python file belongs."""
    return loaded.template.with_suffix(".py")


def made_release(
    loaded: Loaded, engine: Engine, report: Report, wish: ReleaseOptions = ONLY_THE_NOTEBOOK
) -> Release:
    """Generate everything that the options ask for.

    Raises ``SpecError`` when the solution fails, when the blank notebook stops for any reason
    other than a missing answer, or when a file would give away a secret; ``UsageError`` for an
    invalid URL.
    """
    refuse_brought(loaded, "released")
    read_solution(loaded)  # its syntax errors are named with the lines of the file
    template = read_template(loaded.solution, loaded.spec)
    notebooks = _notebooks(loaded, template, wish)
    with _ran(loaded, engine, report) as prepared:
        report("Running the blank notebook", 1)
        _refuse_blank(prepared.context, notebooks[loaded.template])
    evidence = _settled(loaded.folder / FILE, evidence_for(prepared, template))
    files = {**notebooks, loaded.folder / FILE: evidence}
    knows = _knows(prepared)
    # Files for students are searched for secrets.
    _refuse_secrets(knows, {path.name: data for path, data in files.items()})
    # An assignment's files are searched for secrets.
    _refuse_secrets(knows, loaded.files.contents)
    files = {**_beside(loaded), **files}
    if wish.package is not None:
        held = [(evidence, knows)]
        for folder in _siblings(loaded):
            with _ran(load(folder), engine, report) as other:
                # Other assignments in the package are searched for theirs.
                held.append(((folder / FILE).read_bytes(), _knows(other)))
        report("Making the student package", 1)
        torch = any(read_public(data).torch for data, _ in held)
        name, wheel = student_wheel(_packed(held), torch=torch)
        files[wish.package / name] = wheel
    return Release(files)


@contextmanager
def _ran(loaded: Loaded, engine: Engine, report: Report) -> Iterator[PreparedClass]:
    """The solution's answers to public evidence's inputs, while its box is there."""
    offer = prepare(loaded)
    with scratch_folder() as folder, box_for(loaded, offer, require="weak") as box:
        context = make_context(loaded, offer, box, seed=SEED, draw=False, evidence=folder)
        yield prepare_reference(context, engine, report, mistakes=False)


def _beside(loaded: Loaded) -> dict[Path, bytes]:
    """The assignment's files beside its notebook. Raises SpecError where another assignment of the
    course has a file or a notebook of that name there."""
    folder = loaded.template.parent
    others = [path for path in loaded.folder.parent.glob("*") if path != loaded.folder]
    problems = []
    for name, data in loaded.files.contents.items():
        taken = [other / FOLDER / name for other in others if (other / FOLDER / name).is_file()]
        for other in (path for path in taken if path.read_bytes() != data):
            problems.append(
                f"{loaded.folder / FOLDER / name}: {other} is another file of this name, and both "
                f"belong into {folder}. Put one into a folder of its own, such as "
                f"{FOLDER}/{loaded.spec.id}/"
            )
        if any(name in names_of(other.name) for other in others):
            problems.append(
                f"{loaded.folder / FOLDER / name}: this is the name of another assignment's "
                "notebook. Rename the file"
            )
    if problems:
        raise SpecError(problems)
    return {folder / name: data for name, data in loaded.files.contents.items()}


def _notebooks(
    loaded: Loaded, template: nbformat.NotebookNode, wish: ReleaseOptions
) -> dict[Path, bytes]:
    made = {loaded.template: notebook_bytes(template)}
    if wish.colab:
        made[colab_path(loaded)] = colab_bytes(template, package_url=wish.package_url)
    if wish.light:
        made[light_path(loaded)] = light_bytes(template)
    return made


def evidence_for(prepared: PreparedClass, template: nbformat.NotebookNode) -> PublicEvidence:
    """The public evidence with small calls, without answers that only a hidden check compares."""
    loaded, cases = prepared.context.loaded, prepared.context.cases
    whole = public_evidence(
        loaded,
        cases,
        prepared.expected,
        outline=outline_of(read_solution(loaded), loaded.spec),
        version=template.metadata.autograder.version,
    )
    made = with_small_calls(whole, prepared)
    kept = dict.fromkeys(kept_back(loaded.spec, cases) & set(made.outcomes), EMPTY)
    # An answer that only a hidden check compares is kept back.
    return msgspec.structs.replace(made, outcomes=made.outcomes | kept)


def _settled(path: Path, made: PublicEvidence) -> bytes:
    """The bytes of the existing file if it agrees with ``made`` (its answers may have been
    recorded on another processor), else those of ``made``."""
    try:
        stored = path.read_bytes()
        agrees = not differences(read_public(stored, name=str(path)), made)
    except (OSError, StoreError):
        agrees = False
    return stored if agrees else public_bytes(made)


def _refuse_blank(context: GradingContext, notebook: bytes) -> None:
    """Raise SpecError for cells that stop the blank notebook."""
    loaded = context.loaded
    template = read(loaded.template, data=notebook)
    problems = blank_problems(
        loaded,
        template,
        read_solution(loaded),
        run_blank(context, template),
        unavailable=context.unavailable,
    )
    if said := [*problems]:
        raise SpecError(said)  # a blank notebook that stops is not released


def _packed(held: Sequence[tuple[bytes, SecretSet]]) -> Mapping[str, bytes]:
    """The wheel's files with the public evidence of these assignments; raises SpecError if one
    contains a secret of any of them."""
    evidence = {knows.spec.id: data for data, knows in held}
    packed = student_files(modules_of(STUDENT), evidence)
    for _, knows in held:
        foreign = {f"{DATA}/{name}.agw" for name in evidence if name != knows.spec.id}
        _refuse_secrets(knows, {n: data for n, data in packed.items() if n not in foreign})
    return packed


def _siblings(loaded: Loaded) -> list[Path]:
    """The folders of the other assignments that have public evidence."""
    folders = (path.parent for path in loaded.folder.parent.glob(f"*/{FILE}"))
    return sorted(folder for folder in folders if folder != loaded.folder)


def _knows(prepared: PreparedClass) -> SecretSet:
    loaded, cases = prepared.context.loaded, prepared.context.cases
    variants = (v for kind in ("mistakes", "equivalents") for v in variants_in(loaded, kind))
    solution = read_solution(loaded)
    return SecretSet(loaded.spec, solution, tuple(variants), cases, prepared.expected)


def _refuse_secrets(knows: SecretSet, files: Mapping[str, bytes]) -> None:
    """Raise SpecError if files for students contain a secret of the assignment."""
    problems = [
        f"{knows.spec.id}: the release would give away a secret: {one}"
        for one in told(knows, files)
    ]
    if problems:
        raise SpecError(problems)
