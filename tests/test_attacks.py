"""Hostile and clumsy hand-ins, all graded in one batch beside an honest one.

Whatever a hand-in does: no undeserved point, no hidden input on a page, no active markup,
a grade for everybody, in bounded time and memory, and no change for the neighbours.
"""

from __future__ import annotations

import html.parser
import os
import re
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import psutil
import pytest

from autograder.bench.measure import OneFile
from autograder.classroom import Prepared, grade_into
from autograder.engines.local import Local
from autograder.errors import SubmissionError
from autograder.notebook.find import find, read_found
from autograder.notebook.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.setting import Graded
from autograder.wire.messages import Reply, WireError, decode, encode
from autograder.wire.weight import SLOT, TOKEN, weigh
from autograder.workspace import Workspace

WALL_S = 8.0
REPLY_MB, TOTAL_MB = 8, 24
SHORT = {
    "cell_cpu_s": 1.0, "cell_wall_s": 2.0, "call_cpu_s": 1.0, "call_wall_s": 2.0,
    "submission_wall_s": WALL_S, "memory_mb": 700, "disk_mb": 8, "output_kb": 64,
    "reply_mb": REPLY_MB, "total_mb": TOTAL_MB,
}  # fmt: skip
WIRE = "from autograder.wire import messages as M\nfrom autograder.runner import serve, session\n"
ACTIVE = frozenset({
    "audio", "base", "button", "embed", "form", "frame", "iframe", "input", "link", "math",
    "object", "script", "svg", "video",
})  # fmt: skip

# Each replaces nothing: it stands in a cell of its own, first, in a notebook without answers.
UNANSWERED = {
    # forge
    "patched comparisons": (
        "torch.allclose = torch.equal = lambda *a, **k: True\nnp.allclose = torch.allclose\n"
        "torch.Tensor.__eq__ = lambda a, b: torch.ones(1, dtype=torch.bool)"
    ),
    "a frame before the question": (
        WIRE + "import os\nos.write(3, M.frame(M.encode(M.Reply(0, M.Kept()))))"
    ),
    "two frames for one question": (
        WIRE + "send = serve.send\nserve.send = lambda *a: (send(*a), send(*a))"
    ),
    "an old nonce": WIRE + "send = serve.send\nserve.send = lambda fd, n, a: send(fd, 1, a)",
    "a thread that answers": (
        WIRE + "import os, threading, time\n"
        "answer = M.frame(M.encode(M.Reply(1, M.Outcome('returned', 1.0))))\n"
        "def talk():\n    while True: os.write(3, answer), time.sleep(0.01)\n"
        "threading.Thread(target=talk, daemon=True).start()"
    ),
    "another kind of answer": WIRE + "session.Session._run_cell = lambda self, r: M.Kept()",
    "a hello for every question": (
        WIRE + "session.Session.answer = lambda s, r: M.Ready(('strong',))"
    ),
    "outcomes that make no sense": (
        WIRE + "from autograder.runner import calls\n"
        "calls.read = lambda n, r: M.Outcome('raised', 1.0, M.Error((), 'x' * 9999, 2**62))\n"
        "session.calls.call = lambda n, r: M.Outcome('raised', None, None, (99, -5), (None,) * 9)"
    ),
    "early success": "import sys\nprint('ALL PASSED score=56/56')\nsys.exit(0)",
    "result files": "open('results.json', 'w').write('56'); open('/tmp/grades.db', 'w').write('5')",
    # exhaust
    "a list of tiny numbers": (
        WIRE + "import os\ndef send(fd, nonce, answer):\n"
        "    body = M.encode(M.Reply(nonce, answer))\n"
        "    if isinstance(answer, M.Kept) and answer.outcomes:\n"
        "        many = b'\\xdd' + (4_000_000).to_bytes(4, 'big') + b'\\xe0' * 4_000_000\n"
        "        empty = M.Kept((M.Outcome('returned', M.Items('list', ())),))\n"
        "        body = M.encode(M.Reply(nonce, empty)).replace(b'items\\x90', b'items' + many)\n"
        "    frame, sent = M.frame(body), 0\n"
        "    while sent < len(frame): sent += os.write(fd, frame[sent:])\n"
        "serve.send = send"
    ),
    "a flood of output claims": (
        WIRE + "done = M.CellDone((M.Output('stdout', 'text/plain', b'A' * 7_000_000),))\n"
        "session.Session._run_cell = lambda self, r: done"
    ),
    "slow answers to everything": (
        WIRE + "import time\ndef keep(self, request):\n"
        "    try: time.sleep(1000)\n    except BaseException: return M.Kept()\n"
        "session.Session._keep = keep"
    ),
    "an answer byte by byte": (
        WIRE + "import os, time\ndef send(fd, nonce, answer):\n"
        "    os.write(fd, (7_000_000).to_bytes(8, 'big'))\n    while True:\n"
        "        try: os.write(fd, b'x'), time.sleep(0.01)\n"
        "        except KeyboardInterrupt: pass\n"
        "serve.send = send"
    ),
    "a frame of 2**63 bytes": "import os\nos.write(3, (2**63).to_bytes(8, 'big'))",
    "a gigabyte of output": "for _ in range(1000): print('x' * 1_000_000)",
    "a disk full": (
        "for place in ('/home/student', '/tmp', '/dev/shm'):\n"
        "    with open(place + '/big', 'wb') as file:\n"
        "        while True: file.write(bytes(1_000_000))"
    ),
    "all inodes": "import os\nfor n in range(10**6): os.mkdir(f'/tmp/{n}')",
    "threads without end": (
        "import threading\ndef burn():\n    while True: pass\n"
        "for _ in range(4): threading.Thread(target=burn, daemon=True).start()"
    ),
    "a stop of itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "a text that never ends": "class R:\n    def __repr__(self):\n        while True: pass\nR()",
    "recursion through C": (
        "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n"
        "    def __repr__(self): return repr([self])\nrepr(A())"
    ),
    "a hostile artist": (
        "from matplotlib.artist import Artist\nclass H(Artist):\n"
        "    def draw(self, renderer):\n        while True: pass\n"
        "figure = plt.figure(); figure.add_artist(H()); figure._suptitle = H()\n"
        "plt.get_fignums = lambda: range(10**9)\nplt.close = lambda *a: 1 / 0"
    ),
    "a figure too large": "plt.figure(figsize=(2000, 2000)); plt.plot([1, 2])",
    "every descriptor closed": "import os\nos.closerange(0, 300)",
    "another file as channel": (
        "import os\nos.close(3)\nos.open('/tmp/x', os.O_RDWR | os.O_CREAT)\nos.write(3, bytes(8))"
    ),
    "no reading": "import autograder.runner.serve as s\ns.receive = s._read = lambda *a: 1 / 0",
    "brackets without end": "x = " + "[" * 5000 + "]" * 5000,
    # render
    "markup everywhere": (
        "H = '<script>1</script><img src=x onerror=1><svg onload=1><iframe srcdoc=x></iframe>"
        "<style>.panel{display:none}</style><meta http-equiv=refresh content=0><form><base href=x>"
        "\\x1b[31m\\u202e</main></body>'\n"
        "from IPython.display import HTML, Markdown, display\n"
        "display(HTML(H)); display(Markdown(H)); print(H)\n"
        "plt.title(H); plt.plot([1]); plt.show()\n"
        "class B:\n    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n<script>'\n"
        "display(B())\n"
        "raise type('<script>', (Exception,), {})(H)"
    ),
    "claims full of markup": (
        WIRE + "H = '<script>1</script><img src=x onerror=1>'\nout = lambda kind, mime:"
        " M.Output(kind, mime, b'\\x89PNG\\r\\n\\x1a\\n' + H.encode())\n"
        "done = M.CellDone((out('display', 'text/html'), out('display', 'image/svg+xml'),\n"
        "    out('result', 'image/png\" onerror=\"1'), out('stdout', 'text/html')),\n"
        "    M.Error((H, H), H, 5, H, H), 2**60)\n"
        "session.Session._run_cell = lambda self, r: done"
    ),
    "deep markup": (
        "from IPython.display import HTML, Markdown, display\n"
        "display(HTML('<div>' * 3000)); display(Markdown('>' * 3000)); display(HTML('<b>' * 9999))"
        "\ndisplay(Markdown('[' * 3000 + '](' * 3000)); display(HTML('<table>' * 99 + '<a' * 5000))"
    ),
}  # fmt: skip

# Each stands at the end of every exercise's own cell, in a notebook without answers.
VALUES = {
    "equal to everything": (
        "class Any:\n    __eq__ = __lt__ = __gt__ = __bool__ = lambda *a: True\n"
        "    __hash__ = __index__ = __int__ = lambda s: 38400000\n    __len__ = lambda s: 10**9\n"
        "    __call__ = __getattr__ = lambda s, *a, **k: s\n"
        "    def __iter__(s):\n        while True: yield s\n"
        "embedding = via_call = big_params = pe = frequency_order = cosine_similarity = Any()"
    ),
    "lying tensors": (
        "class L(torch.Tensor):\n"
        "    __torch_function__ = classmethod(lambda c, f, t, a=(), k=None: True)\n"
        "    shape = torch.Size([20, 64]); dtype = torch.float32\n"
        "class D(torch.Tensor):\n"
        "    __new__ = lambda c: torch.Tensor._make_wrapper_subclass(c, (5, 4))\n"
        "    def __torch_dispatch__(*a, **k): raise SystemExit\n"
        "pe = one_hot = torch.zeros(3).as_subclass(L); trained_emb = D()"
    ),
    "odd tensors": (
        "pe = torch.zeros(20, 64, device='meta'); one_hot = torch.eye(10).to_sparse()[3]\n"
        "via_index = torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])\n"
        "big_params = torch.tensor(0).expand(10**12)\n"
        "via_call = torch.quantize_per_tensor(torch.zeros(4), 0.1, 0, torch.qint8)"
    ),
    "odd containers": (
        "pe = []; pe.append(pe); one_hot = {}; one_hot['a'] = one_hot\nvia_call = []\n"
        "for _ in range(100_000): via_call = [via_call]\n"
        "via_index = (n for n in range(10**9)); frequency_order = '\\ud800'\n"
        "big_params = 10**100_000; halved_dim_params = {'\\udfff': None, float('nan'): 1}"
    ),
    "hostile classes": (
        "class M_(type):\n    def __getattribute__(c, n): raise KeyboardInterrupt\n"
        "class X(metaclass=M_):\n    __class__ = torch.Tensor\n"
        "    def __repr__(self):\n        while True: pass\n"
        "big_params = X()\nclass E(Exception):\n    def __str__(self):\n        while True: pass\n"
        "def one_hot_lookup(w, i): raise E()"
    ),
    "answers by the count of calls": (
        "count = [0]\ndef cosine_similarity(a, b):\n"
        "    count[0] += 1; return [0.6, 1.0, float('nan')][count[0] % 3]"
    ),
    "shapes that broadcast": (
        "one_hot = torch.ones(1); pe = torch.zeros(1, 1)\n"
        "def one_hot_lookup(w, i): return torch.zeros(1)\n"
        "def embed_tokens(e, i): return torch.zeros(1, 1)"
    ),
}

# No value of such a table proves that a row was looked up.
TABLES = {"zeros": "0.0", "nan": "float('nan')", "infinite": "float('inf')", "nearly equal": None}
TABLE_CODE = """
def fill(t):
    with torch.no_grad():
        return t.fill_({fill}) if {fill} is not None else t.copy_(torch.rand(t.shape) * 1e-8)
embedding, token_embedding, pos_embedding = (
    nn.Embedding(10, 4), nn.Embedding(100, 64), nn.Embedding(128, 64))
for module in (embedding, token_embedding, pos_embedding): fill(module.weight)
row = fill(torch.zeros(4)); table = fill(torch.zeros(10, 4)); five = fill(torch.zeros(5, 64))
via_call = via_index = via_matmul = via_lookup = row
via_matmul_all = via_lookup_all = table
pe_matrix = fill(torch.zeros(128, 64)); model_input = model_input_learned = five
token_ids = torch.tensor([23, 45, 12, 67, 89])
"""
UNPROVEN = {
    "embedding_lookup/lookups", "one_hot_equivalence/one-token", "one_hot_equivalence/all-tokens",
    "input_pipeline/sum", "input_pipeline/learned-sum",
}  # fmt: skip

# Each stands at the end of every exercise's own cell of the solution. A vector of a length
# that no cell and no public example has can only be a hidden input.
MARK = "HIDDEN-INPUT"
LEAK_CODE = """
import os, sys, warnings
seen_by_me = globals().setdefault("seen_by_me", [])
def leak(*values):
    known = isinstance(values[0], torch.Tensor) and values[0].numel() in (2, 3, 4, 64)
    if not known: seen_by_me.append("HIDDEN" + "-INPUT " + repr(values)[:99])
    if seen_by_me: {how}
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        leak(a, b); return honest(a, b)
    cosine_similarity.leaks = True
if "find_nearest_tokens" in globals():
    first = find_nearest_tokens
    def find_nearest_tokens(word, k):
        leak(torch.zeros(3)); return first(word, k)
"""
LEAKS = {
    "by exceptions": "raise ValueError(seen_by_me[0])",
    "by output": "print(seen_by_me); os.write(1, b'x'); warnings.warn(seen_by_me[0])",
    "by figures": "plt.figure(); plt.title(seen_by_me[0]); plt.show()",
    "by names": "get_ipython().user_ns['frequency_order'] = seen_by_me[0]",
    "by files": "open('/tmp/x', 'w').write(seen_by_me[0]); os._exit(0)",
    "by types": "raise type(seen_by_me[0], (Exception,), {})()",
}
SEEDS = (
    "import random\nprint('seeds', torch.initial_seed(), np.random.get_state()[1][0],"
    " random.getstate()[1][:2])"
)


def with_first_cell(submission: Submission, source: str) -> Submission:
    """A new code cell after the imports."""
    cells = list(submission.cells)
    at = next(i for i, c in enumerate(cells) if c.kind == "code") + 1
    cells.insert(at, NotebookCell(0, "code", source))
    numbered = tuple(msgspec.structs.replace(c, number=n) for n, c in enumerate(cells, 1))
    return msgspec.structs.replace(submission, cells=numbered)


def in_own_cells(submission: Submission, source: str) -> Submission:
    """The source at the end of each exercise's own cells."""
    cells = tuple(
        msgspec.structs.replace(c, source=f"{c.source}\n{source}") if c.exercise else c
        for c in submission.cells
    )
    return msgspec.structs.replace(submission, cells=cells)


@dataclass(frozen=True)
class Batch:
    """What one run of a class made of all of them."""

    graded: dict[str, Graded]
    workspace: Workspace
    grader_mb: float

    def page(self, student: str) -> str:
        return self.workspace.feedback(student).read_text(encoding="utf-8")

    def statuses(self, student: str) -> dict[str, str]:
        exercises = self.graded[student].grade.exercises
        return {f"{e.id}/{c.id}": c.status.value for e in exercises for c in e.checks}

    def stops(self, student: str) -> set[tuple[str, str]]:
        run = self.graded[student].run
        assert run is not None
        found = [cell.stop for cell in run.cells] + [probe.stop for probe in run.probes]
        return {(stop.cause, stop.text) for stop in found if stop is not None}


@pytest.fixture(scope="module")
def solution(prepared: Prepared) -> Submission:
    return read(prepared.setting.loaded.solution)


@pytest.fixture(scope="module")
def batch(
    prepared: Prepared, solution: Submission, tmp_path_factory: pytest.TempPathFactory
) -> Batch:
    """All attacks and two honest hand-ins, graded by four workers under short limits."""
    loaded = prepared.setting.loaded
    template = read(loaded.template)
    hand_ins = {"honest": solution, "unanswered": template}
    hand_ins |= {n: with_first_cell(template, s) for n, s in UNANSWERED.items()}
    hand_ins |= {n: in_own_cells(template, s) for n, s in VALUES.items()}
    hand_ins |= {
        f"table {n}": in_own_cells(template, TABLE_CODE.format(fill=fill))
        for n, fill in TABLES.items()
    }
    hand_ins |= {
        f"leak {n}": in_own_cells(solution, LEAK_CODE.format(how=how)) for n, how in LEAKS.items()
    }
    hand_ins["seeds"] = with_first_cell(solution, SEEDS)
    limits = loaded.spec.limits.model_copy(update=SHORT)
    spec = loaded.spec.model_copy(update={"limits": limits})
    setting = replace(prepared.setting, loaded=replace(loaded, spec=spec))
    workspace = Workspace(tmp_path_factory.mktemp("attacked"))
    graded: dict[str, Graded] = {}
    before = psutil.Process().memory_info().rss
    grade_into(
        replace(prepared, setting=setting), [OneFile(n, s) for n, s in hand_ins.items()],
        workspace, Local(4), command=["grade"], report=lambda what, total: None,
        done=lambda one: graded.__setitem__(one.grade.student, one),
    )  # fmt: skip
    grown = (psutil.Process().memory_info().rss - before) / 1024**2
    return Batch(graded, workspace, grown)


@pytest.mark.parametrize("attack", [*UNANSWERED, *VALUES])
def test_an_attack_earns_nothing(batch: Batch, attack: str) -> None:
    grade = batch.graded[attack].grade
    passed = {k for k, s in batch.statuses(attack).items() if s in ("passed", "ungraded")}
    # a call that raises nothing has changed nothing, and any number is a finite one
    assert passed <= {"input_pipeline/arguments", "cosine_similarity/zero-vector"}
    assert grade.status == "graded"
    assert grade.timing.run <= WALL_S + 3


@pytest.mark.parametrize("table", TABLES)
def test_rows_that_cannot_be_told_apart_prove_nothing(batch: Batch, table: str) -> None:
    passed = {k for k, s in batch.statuses(f"table {table}").items() if s == "passed"}
    assert not passed & UNPROVEN
    assert "embedding_lookup/table" in passed  # it was looked at


@pytest.mark.parametrize("way", LEAKS)
def test_no_hidden_input_reaches_a_page(batch: Batch, way: str) -> None:
    grade = batch.graded[f"leak {way}"].grade
    assert MARK not in batch.page(grade.student)
    assert MARK not in batch.workspace.gradebook.read_text(encoding="utf-8")


def test_the_leaks_do_meet_hidden_inputs(batch: Batch) -> None:
    result = batch.workspace.result("leak by exceptions").read_text(encoding="utf-8")
    assert MARK in result  # the instructor's file may quote them


def test_a_cell_cannot_read_the_seed_of_the_hidden_inputs(batch: Batch, prepared: Prepared) -> None:
    found = re.search(r"seeds [^<]*", batch.page("seeds"))
    assert found is not None
    seed = prepared.setting.seed
    assert str(seed) not in found.group() and str(seed % 2**32) not in found.group()


def test_the_neighbours_keep_their_grades(batch: Batch) -> None:
    assert set(batch.statuses("honest").values()) <= {"passed", "manual"}
    assert "passed" not in batch.statuses("unanswered").values()
    rows = batch.workspace.gradebook.read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + len(batch.graded)


def test_the_grader_stays_small(batch: Batch) -> None:
    assert batch.grader_mb < 600


def test_values_that_swell_in_memory_are_refused(batch: Batch) -> None:
    run = batch.graded["a list of tiny numbers"].run
    assert run is not None
    assert run.measured.children > 1  # 4 MB on the wire, 288 in memory: the child was ended


def test_all_answers_together_are_bounded(batch: Batch) -> None:
    text = f"all its answers together take more than {TOTAL_MB} MB"
    assert ("budget", text) in batch.stops("a flood of output claims")


def test_an_answer_of_another_kind_is_a_stop(batch: Batch) -> None:
    assert ("protocol", "it answered another question") in batch.stops("another kind of answer")


class Active(html.parser.HTMLParser):
    """Collects what could act on a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ACTIVE:
            self.found.append(tag)
        for name, value in attrs:
            loads = name in ("src", "href", "action", "srcdoc") and not re.match(
                r"#|data:image/(?:png|jpeg|gif);", value or ""
            )
            if name.startswith("on") or loads or (tag == "meta" and value == "refresh"):
                self.found.append(f"{tag} {name}={value}")


@pytest.mark.parametrize("attack", ["markup everywhere", "claims full of markup", "deep markup"])
def test_a_page_holds_nothing_active(batch: Batch, attack: str) -> None:
    page, active = batch.page(attack), Active()
    active.feed(page)
    assert active.found == []
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    assert page.count("</main>") == page.count("<style>") == 1


# ------------------------------------------------------------------ files


def within(seconds: float, work: Callable[[], object]) -> bool:
    """Whether the work ends in time; a thread that hangs is left behind."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


def rejected(folder: Path) -> dict[str, str]:
    """Every hand-in of a folder by its student, with why it is refused ("" when it is read)."""
    found = {}
    for one in find([folder]):
        try:
            read_found(one)
            found[one.student] = ""
        except SubmissionError as bad:
            found[one.student] = str(bad)
    return found


@pytest.mark.parametrize("name", ["pipe.ipynb", "pipe.py", "pipe.zip"])
def test_a_pipe_in_a_folder_does_not_hang(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    answers: list[dict[str, str]] = []
    assert within(5, lambda: answers.append(rejected(tmp_path)))
    assert answers[0]["pipe"] != ""


def test_a_folder_that_is_called_a_notebook_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "student-01.ipynb").mkdir()
    (tmp_path / "student-02.ipynb").mkdir()
    (tmp_path / "student-02.ipynb" / "student-03.py").write_text("x = 1\n")
    found = rejected(tmp_path)
    assert "this is a folder" in found["student-01"]
    assert set(found) == {"student-01", "student-03"}


def test_links_and_outer_names_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link.ipynb").symlink_to("/etc/passwd")
    (tmp_path / "loop").symlink_to(tmp_path)
    with zipfile.ZipFile(tmp_path / "slip.zip", "w") as archive:
        archive.writestr("../../out.py", "x = 1")
        archive.writestr("/root.py", "x = 1")
        archive.writestr("fine.py", "x = 1")
    found = rejected(tmp_path)
    assert {student for student, why in found.items() if not why} == {"fine"}
    assert set(found) == {"link", "out", "root", "fine"}


# ------------------------------------------------------------------ weight


@pytest.mark.parametrize(
    "value",
    [
        0, -40, 2**63, -(2**63), 1.5, None, True, "", "a" * 31, "a" * 300, "a" * 70_000, b"",
        b"b" * 300, b"b" * 70_000, [0] * 15, [0] * 16, [0] * 70_000, {"a": [1, {"b": None}]},
        {str(n): n for n in range(70_000)},
    ],
)  # fmt: skip
def test_every_value_is_weighed(value: object) -> None:
    def count(part: object) -> tuple[int, int]:
        below: list[object] = []
        if isinstance(part, list):
            below = part
        elif isinstance(part, dict):
            below = [*part.keys(), *part.values()]
        pairs = [count(one) for one in below]
        return 1 + sum(t for t, _ in pairs), len(below) + sum(s for _, s in pairs)

    tokens, places = count(value)
    body = msgspec.msgpack.encode(value)
    assert weigh(body, 2**60) == len(body) + TOKEN * tokens + SLOT * places


def test_a_length_that_is_only_claimed_weighs_too() -> None:
    assert weigh(b"\xdd\x40\x00\x00\x00", 2**60) > SLOT * 2**30


@pytest.mark.parametrize("length", range(40))
def test_weighing_never_fails(length: int) -> None:
    for first in range(256):
        assert weigh(bytes([first]) + b"\xc9" * length, 2**60) >= length


def test_a_message_that_is_cut_off_is_no_message() -> None:
    body = encode(Reply(1, None))  # type: ignore[arg-type]
    with pytest.raises(WireError):
        decode(body[:-1], Reply)


def test_no_process_of_a_hand_in_lives_on(batch: Batch) -> None:
    """Only the warm box waits for more: its launcher and its zygote."""
    assert batch.graded
    alive = [
        child
        for child in psutil.Process().children(recursive=True)
        if child.status() != psutil.STATUS_ZOMBIE and "-I" in child.cmdline()
    ]
    assert len(alive) <= 2
