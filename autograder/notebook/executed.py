"""The submission as a notebook again, with the outputs recorded in the sandbox.

Covered: outputs stored in the submitted file are never shown; unknown kinds of output are named,
not shown; a picture is shown only if it starts like a PNG. Not covered: what HTML, Markdown and
LaTeX contain. It comes from the student; code that renders this notebook must sanitise it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import nbformat

from autograder.evidence.records import CellRun, Run
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.release import KERNEL, LANGUAGE
from autograder.wire.messages import Error, Output

TEXT_MIMES = frozenset({"text/plain", "text/html", "text/markdown", "text/latex"})
MAX_TRACE = 500_000  # characters of a traceback, and of an exception's text
MAX_OUTPUTS = 1_000  # per cell
PNG = b"\x89PNG\r\n\x1a\n"


def executed_notebook(submission: Submission, run: Run) -> nbformat.NotebookNode:
    """The submission's cells with the outputs of ``run``.

    Each cell's metadata has ``ag_number``, its number, and ``exercise`` where it is tagged.
    """
    runs = {cell.number: cell for cell in run.cells}
    cells = []
    count = 0
    for cell in submission.cells:
        cell_run = runs.get(cell.number) if cell.kind == "code" else None
        ran = cell_run is not None and (cell_run.claim is not None or cell_run.stop is not None)
        count += ran
        cells.append(_cell(cell, cell_run, count if ran else None))
    return nbformat.from_dict(
        {
            "cells": cells,
            "metadata": {"kernelspec": dict(KERNEL), "language_info": dict(LANGUAGE)},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


def _cell(cell: NotebookCell, run: CellRun | None, count: int | None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"ag_number": cell.number}
    if cell.exercise:
        metadata["exercise"] = cell.exercise
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": f"cell-{cell.number}",
        "metadata": metadata,
        "source": cell.source,
    }
    if cell.kind == "code":
        made["execution_count"] = count
        made["outputs"] = list(_joined(_outputs(run, count))) if run is not None else []
    return made


def _outputs(run: CellRun, count: int | None) -> Iterator[dict[str, Any]]:
    """What the cell showed, then its error, then why it was stopped."""
    if run.claim is not None:
        for output in run.claim.outputs[:MAX_OUTPUTS]:
            yield _output(output, count)
        more = len(run.claim.outputs) - MAX_OUTPUTS
        if more > 0:
            yield _stream("stderr", f"[{more:,} more outputs omitted]\n")
        if run.claim.dropped > 0:
            yield _stream("stderr", f"[{run.claim.dropped:,} more bytes of output omitted]\n")
        if run.claim.error is not None:
            yield _error(run.claim.error)
    if run.stop is not None:
        yield _stream("stderr", f"Stopped: {run.stop.text.rstrip('.')}.\n")


def _output(output: Output, count: int | None) -> dict[str, Any]:
    if output.kind in ("stdout", "stderr"):
        return _stream(output.kind, _text(output.content))
    made: dict[str, Any] = {
        "output_type": "display_data",
        "data": _bundle(output),
        "metadata": {},
    }
    if output.kind == "result":
        made |= {"output_type": "execute_result", "execution_count": count}
    return made


def _bundle(output: Output) -> dict[str, str]:
    if output.mime in TEXT_MIMES:
        return {output.mime: _text(output.content)}
    if output.mime == "image/png" and output.content.startswith(PNG):
        return {"image/png": base64.b64encode(output.content).decode()}
    return {"text/plain": f"[output of type {output.mime[:60]!r} is not shown]"}


def _error(error: Error) -> dict[str, Any]:
    name = error.types[0] if error.types else "Error"
    trace = f"{error.trace[-MAX_TRACE:]}\n{name}: {error.text[:MAX_TRACE]}".strip("\n")
    return {
        "output_type": "error",
        "ename": name,
        "evalue": error.text[:MAX_TRACE],
        "traceback": [line for line in trace.split("\n") if line],
    }


def _stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def _joined(outputs: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Neighbouring streams of one name as one output, as Jupyter shows them."""
    last: dict[str, Any] | None = None
    for output in outputs:
        streams = output["output_type"] == "stream" and last is not None
        if streams and last is not None and last.get("name") == output["name"]:
            last = last | {"text": last["text"] + output["text"]}
            continue
        if last is not None:
            yield last
        last = output
    if last is not None:
        yield last


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
