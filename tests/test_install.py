"""``.ci/install.py``: what uv is told of pip's settings, and which build of torch it takes."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
UV = """#!{python}
import json, sys
with open({log!r}, "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
sys.exit("--dry-run" in sys.argv and any(word in sys.argv for word in {refused!r}))
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", ROOT / ".ci/install.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def installed(
    script: ModuleType, folder: Path, refused: list[str], settings: dict[str, str], *, torch: bool
) -> list[list[str]]:
    """The command lines that uv is given to install ``numpy``, with a uv that refuses options."""
    program, log = folder / "uv", folder / "log"
    program.write_text(UV.format(python=sys.executable, log=str(log), refused=refused))
    program.chmod(0o755)
    script.Uv(program, folder / "place", settings).install(
        ["numpy"], python=sys.executable, torch=torch
    )
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_uv_is_told_what_pip_is_told(script: ModuleType) -> None:
    settings = {
        "index-url": "https://mirror.example/simple",
        "extra-index-url": "https://one.example/simple\nhttps://two.example/simple",
        "find-links": "/wheels /more",
        "cert": "/ca.pem",
        "disable-pip-version-check": "1",
    }
    assert script.variables(settings) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://one.example/simple\nhttps://two.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/wheels,/more",
        "SSL_CERT_FILE": "/ca.pem",
    }


def test_pips_environment_wins_over_its_files(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nfind-links = /a\nindex-url = https://a.example\n[install]\nretries = 2\n"
        "[download]\nproxy = http://proxy.example\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_FIND_LINKS", "/b")
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    settings = script.settings_of_pip()
    assert settings["find-links"] == "/b" and settings["retries"] == "2"
    assert settings["index-url"] == "https://a.example" and "proxy" not in settings


@pytest.mark.parametrize(
    ("refused", "settings", "told", "says"),
    [
        pytest.param([], {}, [], False, id="wheel in a folder of pip's"),
        pytest.param(["--no-index"], {}, ["--torch-backend=auto"], False, id="its own index"),
        pytest.param(["--no-index", "--torch-backend=auto"], {}, [], True, id="neither"),
        pytest.param(["--no-index"], {"no-index": "1"}, [], False, id="no index allowed"),
    ],
)
def test_torch_is_the_build_for_this_machine_where_that_can_be_had(
    script: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    refused: list[str],
    settings: dict[str, str],
    told: list[str],
    says: bool,
) -> None:
    made, *_, last = installed(script, tmp_path, refused, settings, torch=True)
    no_index = ["--no-index"] if settings else []
    place = str(tmp_path / "place")
    assert made[:1] == ["venv"]
    assert last == ["pip", "install", "--python", place, *no_index, "--quiet", *told, "numpy"]
    assert ("cannot be reached" in capsys.readouterr().out) == says


def test_without_torch_nothing_is_asked(script: ModuleType, tmp_path: Path) -> None:
    assert len(installed(script, tmp_path, [], {}, torch=False)) == 2


def test_a_failure_is_the_exit_status_of_what_failed(
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "uv").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "uv").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(script, "settings_of_pip", dict)
    monkeypatch.setattr(sys, "argv", ["install.py", "--what", "numpy", "place", "numpy"])
    assert script.main() == 3
    assert capsys.readouterr().out == "Setting up place: numpy ...\n"


def test_every_target_of_make_is_listed_or_named() -> None:
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    (phony,) = [
        line.removeprefix(".PHONY: ").split()
        for line in (ROOT / "Makefile").read_text().replace("\\\n", " ").splitlines()
        if line.startswith(".PHONY:")
    ]
    missing = [name for name in phony if name not in listed.stdout]
    assert missing == ["help"]
