"""Damage by cells that belong to no exercise: put at any place, or left at the end."""

from __future__ import annotations

from random import Random

from tests.support.damage.hand_in import Base, Change, Kind, Notebook, code, harmless, new_code, own
from tests.support.damage.names import defined, used, used_inside

ANYWHERE = {
    "raises": ("a cell that raises", "scores = {'cat': 3}\nscores['dog'] + 1"),
    "syntax": ("a cell that is not Python", "def broken(:\n    return"),
    "notes": ("plain notes in a code cell", "TODO ask the tutor!! why is it 38.4 million?"),
    "loop": ("a loop that never ends", "while True:\n    pass"),
    "loop-caught": (
        "a loop that never ends and swallows interrupts",
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass",
    ),
    "sleep": ("a cell that waits for hours", "import time\ntime.sleep(10_000)"),
    "recursion": ("endless recursion", "def down(n):\n    return down(n + 1)\ndown(0)"),
    "memory": (
        "a list that grows until memory runs out",
        "hoard = []\nwhile True:\n    hoard.append(bytearray(50_000_000))",
    ),
    "exit": ("exit()", "exit()"),
    "quit": ("quit()", "quit()"),
    "sys-exit": ("sys.exit", "import sys\nsys.exit('done for today')"),
    "os-exit": ("os._exit", "import os\nos._exit(1)"),
    "crash": ("a crash of the whole process", "import ctypes\nctypes.string_at(0)"),
    "interrupt": ("an interrupt from the keyboard", "raise KeyboardInterrupt"),
    "input": ("input from the user", "name = input('Who are you? ')"),
    "breakpoint": ("a breakpoint", "breakpoint()"),
    "pip": ("!pip and %pip", "!pip install -q torch\n%pip install seaborn"),
    "shell": ("shell commands", "!ls -la\nfiles = !ls\n!nvidia-smi"),
    "unknown-magic": ("unknown magics", "%nice_magic\n%%better_magic"),
    "unknown-cell-magic": ("an unknown cell magic", "%%nice_magic --all\nwhat = 1"),
    "bash": ("%%bash", "%%bash\necho hello && ls"),
    "html": ("%%html", "%%html\n<script>document.body.innerHTML = ''</script>"),
    "writefile": ("%%writefile", "%%writefile notes.py\nx = 1"),
    "timeit": ("%timeit and %%time", "%timeit -n 2 -r 2 sum(range(1000))\n%time 1 + 1"),
    "cell-timeit": ("%%timeit", "%%timeit\nsum(range(1000))"),
    "matplotlib": (
        "%matplotlib and %config",
        "%matplotlib widget\n%config InlineBackend.figure_format = 'retina'\n"
        "%load_ext autoreload\n%autoreload 2",
    ),
    "help": ("requests for Jupyter's help", "print?\nlen??\n%lsmagic"),
    "prints": ("a million printed lines", "for line in range(1_000_000):\n    print(line)"),
    "big-display": ("a display of some megabytes", "'x' * 5_000_000"),
    "plots": (
        "plots left open",
        "import matplotlib.pyplot as plt\nfor n in range(12):\n    plt.figure()\n"
        "    plt.plot([1, n])\n    plt.title('mine')",
    ),
    "plot-settings": (
        "settings of the plots",
        "import matplotlib.pyplot as plt\nplt.rcParams['figure.figsize'] = (3, 3)\n"
        "plt.style.use('ggplot')\nplt.ion()\nplt.close('all')",
    ),
    "widgets": ("widgets", "import ipywidgets\nslider = ipywidgets.IntSlider()\nslider"),
    "rich-output": (
        "displays of several kinds",
        "from IPython.display import HTML, Markdown, clear_output, display\n"
        "display(HTML('<b>hi</b>'), Markdown('# hi'))\nclear_output()",
    ),
    "warnings-error": ("warnings made errors", "import warnings\nwarnings.simplefilter('error')"),
    "warnings-off": ("warnings switched off", "import warnings\nwarnings.filterwarnings('ignore')"),
    "seeds": (
        "seeds set again",
        "import random\nimport numpy\nimport torch\nnumpy.random.seed(0)\nrandom.seed(1)\n"
        "torch.manual_seed(2)",
    ),
    "threads": (
        "the number of threads set",
        "import torch\ntorch.set_num_threads(32)\ntorch.ones(99, 99) @ torch.ones(99, 99)",
    ),
    "background": (
        "a thread in the background",
        "import threading\nimport time\n\n\ndef tick():\n    while True:\n"
        "        time.sleep(0.05)\n\n\n"
        "threading.Thread(target=tick, daemon=True).start()",
    ),
    "print-replaced": ("print replaced", "print = lambda *args, **options: None"),
    "no-stdout": ("standard output closed", "import sys\nsys.stdout = None\nsys.stderr = None"),
    "await": ("await at the top level", "import asyncio\nawait asyncio.sleep(0)"),
    "asyncio-run": ("asyncio.run", "import asyncio\nasyncio.run(asyncio.sleep(0))"),
    "path": (
        "a file that is only on the student's disk",
        "data = open('C:\\\\Users\\\\me\\\\data.csv').read()",
    ),
    "chdir": (
        "another working folder",
        "import os\nos.makedirs('/tmp/work', exist_ok=True)\nos.chdir('/tmp/work')\n%cd /content",
    ),
    "files": (
        "files written",
        "with open('out.txt', 'w') as file:\n    file.write('x' * 1_000_000)",
    ),
    "network": (
        "a download",
        "import urllib.request\nurllib.request.urlopen('https://example.org/data.csv')",
    ),
    "colab": (
        "Colab's own modules",
        "from google.colab import drive, files\ndrive.mount('/content/drive')",
    ),
    "package": ("a package that is not installed", "import seaborn as sns\nsns.set_theme()"),
    "subprocess": (
        "a program started",
        "import subprocess\nsubprocess.run(['ls', '/'], check=True)",
    ),
    "star-import": ("a star import", "from math import *\nfrom random import *"),
    "settings": (
        "settings of PyTorch and NumPy",
        "import numpy\nimport torch\ntorch.set_printoptions(precision=1)\n"
        "numpy.set_printoptions(suppress=True)\ntorch.autograd.set_detect_anomaly(True)",
    ),
    "checks": (
        "the course's own checks",
        "try:\n    from autograder.student import Grader\n\n"
        "    grader = Grader('{assignment}')\n    grader.check_all()\n"
        "    grader.progress()\nexcept ImportError:\n    grader = None",
    ),
    "checks-bare": (
        "the course's own checks, loaded without a fallback",
        "%load_ext autograder.student\n"
        "from autograder.student import Grader\nGrader('{assignment}').check_all()",
    ),
    "empty": ("empty cells", "\n\n   \n"),
    "unicode": ("names and text in other alphabets", "größe = 'ω'\n数 = 3\nprint('🙂', größe, 数)"),
}

AT_END = {
    "no-grad": ("gradients switched off", "import torch\ntorch.set_grad_enabled(False)"),
    "default-dtype": (
        "PyTorch's default type changed",
        "import torch\ntorch.set_default_dtype(torch.float64)",
    ),
    "default-device": (
        "PyTorch's default device changed",
        "import torch\ntorch.set_default_device('meta')",
    ),
    "builtins": (
        "built-in names overwritten",
        "list = [1, 2]\nsum = 0\nlen = 3\nmax = min = float = int = str = None",
    ),
    "modules": ("module names overwritten", "torch = nn = np = plt = math = F = None"),
    "reset": ("%reset", "%reset -f"),
    "patched": (
        "PyTorch's own functions replaced",
        "import torch\n"
        "torch.allclose = torch.isclose = torch.equal = lambda *a, **k: True\n"
        "torch.nn.Embedding.__repr__ = lambda self: 'mine'",
    ),
}


def _insert(source: str) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        filled = source.replace("{assignment}", notebook["metadata"]["autograder"]["assignment"])
        at = random.randrange(len(notebook["cells"]) + 1)
        notebook["cells"].insert(at, new_code(filled, random))

    return change


def _append(source: str) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        notebook["cells"].append(new_code(source, random))

    return change


def _several(notebook: Notebook, random: Random, base: Base) -> None:
    """Ten cells that fail in ten ways at ten places."""
    quick = [name for name in ANYWHERE if name not in ("sleep", "memory", "loop", "loop-caught")]
    for name in random.sample(quick, 10):
        _insert(ANYWHERE[name][1])(notebook, random, base)


def _failing_everywhere(notebook: Notebook, random: Random, base: Base) -> None:
    """A failing cell after every cell."""
    notebook["cells"] = [
        made
        for cell in notebook["cells"]
        for made in (cell, new_code(random.choice(["1 / 0", "undefined_name", "x ="]), random))
    ]


# ------------------------------------------------------------------ leftovers that use its names


def _answers_names(notebook: Notebook) -> list[str]:
    """What all answers but the last define. By the rule, what stands below the last one and
    defines its names again is its answer."""
    *before, last = own(notebook)
    found = set().union(*(defined(cell["source"]) for cell in before)) - defined(last["source"])
    return sorted(found)


def _overwritten(notebook: Notebook, random: Random, base: Base) -> None:
    lines = [f"{name} = None" for name in _answers_names(notebook)]
    notebook["cells"].append(new_code("\n".join(lines), random))


def _overwritten_by_functions(notebook: Notebook, random: Random, base: Base) -> None:
    lines = [f"def {name}(*args):\n    return 0\n" for name in _answers_names(notebook)]
    notebook["cells"].append(new_code("\n\n".join(lines), random))


def _deleted(notebook: Notebook, random: Random, base: Base) -> None:
    names = sorted(set().union(*(defined(cell["source"]) for cell in own(notebook))))
    notebook["cells"].append(new_code(f"del {', '.join(names)}", random))


def _deleted_once_used(notebook: Notebook, random: Random, base: Base) -> None:
    """After each answer, what it defines and nothing below uses is deleted."""
    cells = code(notebook)
    for at, cell in reversed(list(enumerate(cells))):
        later = set().union(*(used(other["source"]) for other in cells[at + 1 :]))
        names = sorted(defined(cell["source"]) - later)
        if cell in own(notebook) and names:
            where = notebook["cells"].index(cell) + 1
            notebook["cells"].insert(where, new_code(f"del {', '.join(names)}", random))


def _deleted_too_early(notebook: Notebook, random: Random, base: Base) -> None:
    """A stray cell deletes what one answer defines and a later one uses."""
    answers = own(notebook)
    choices = [
        (cell, name)
        for at, cell in enumerate(answers)
        for other in answers[at + 1 :]
        for name in sorted(defined(cell["source"]) & used(other["source"]))
    ]
    cell, name = random.choice(choices)
    where = notebook["cells"].index(cell) + 1
    notebook["cells"].insert(where, new_code(f"del {name}", random))


def _trained(notebook: Notebook, random: Random, base: Base) -> None:
    """Every table and tensor of the answers is changed in place, as by a training loop. Not what
    a function of theirs reads by its name: that function then says what the table says now."""
    answers = own(base.notebook)
    read = set().union(*(used_inside(cell["source"]) for cell in answers))
    names = set().union(*(defined(cell["source"]) for cell in answers)) - read
    lines = [
        "import torch",
        f"for name in {sorted(names)}:",
        "    thing = globals()[name]",
        "    with torch.no_grad():",
        "        if isinstance(thing, torch.nn.Module):",
        "            for weight in thing.parameters():",
        "                weight.mul_(0.5)",
        "        elif isinstance(thing, torch.Tensor) and thing.is_floating_point():",
        "            thing.zero_()",
    ]
    notebook["cells"].append(new_code("\n".join(lines), random))


def _foreign(notebook: Notebook, random: Random, base: Base) -> None:
    """Answers of other assignments, at the end."""
    for source in random.sample(base.foreign, min(6, len(base.foreign))):
        notebook["cells"].append(new_code(source, random))


KINDS = (
    *(
        Kind(f"stray-{name}", f"anywhere: {about}", harmless(_insert(source)))
        for name, (about, source) in ANYWHERE.items()
    ),
    *(
        Kind(f"end-{name}", f"at the end: {about}", harmless(_append(source)))
        for name, (about, source) in AT_END.items()
    ),
    Kind("stray-ten", "ten of these at once", harmless(_several)),
    Kind("stray-everywhere", "a failing cell after every cell", harmless(_failing_everywhere)),
    Kind(
        "end-overwritten",
        "at the end: the names of all answers but the last set to None",
        harmless(_overwritten),
    ),
    Kind(
        "end-functions",
        "at the end: the same names as functions that return 0",
        harmless(_overwritten_by_functions),
    ),
    Kind("end-deleted", "at the end: every name of every answer deleted", harmless(_deleted)),
    Kind(
        "end-trained",
        "at the end: the answers' tables and tensors changed in place",
        harmless(_trained),
    ),
    Kind(
        "deleted-once-used",
        "after each answer: what nothing below uses deleted",
        harmless(_deleted_once_used),
    ),
    Kind(
        "deleted-too-early",
        "a stray cell deletes what a later answer uses",
        harmless(_deleted_too_early),
    ),
    Kind("end-foreign", "at the end: answers of other assignments", harmless(_foreign)),
)
