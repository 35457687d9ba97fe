"""``.ci/install.py``: what uv is told of pip's settings, and which build of torch it takes."""

from __future__ import annotations

import importlib.util
import json
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
        pytest.param(["--no-index"], {"no-index": "1"}, ["--no-index"], False, id="no index"),
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
    """A uv that refuses options writes down the command lines that it is given."""
    program, log, place = tmp_path / "uv", tmp_path / "log", tmp_path / "place"
    program.write_text(UV.format(python=sys.executable, log=str(log), refused=refused))
    program.chmod(0o755)
    uv = script.Uv(program, place, settings)
    uv.install(["numpy"], python=sys.executable, torch=True)
    made, *_, last = map(json.loads, log.read_text().splitlines())
    assert made[:1] == ["venv"] and last[:4] == ["pip", "install", "--python", str(place)]
    assert [word for word in last[4:] if word != "--quiet"] == [*told, "numpy"]
    assert ("cannot be reached" in capsys.readouterr().out) == says
    log.unlink()
    uv.install(["numpy"], python=sys.executable, torch=False)
    assert "--dry-run" not in log.read_text()


def test_a_failure_is_the_exit_status_of_what_failed(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uv").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "uv").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(script, "settings_of_pip", dict)
    monkeypatch.setattr(sys, "argv", ["install.py", "--what", "numpy", "place", "numpy"])
    assert script.main() == 3
