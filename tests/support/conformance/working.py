"""What honest notebooks need: it works in every box."""

from __future__ import annotations

from tests.support.conformance.bounded import FOUR_THREADS
from tests.support.conformance.kind import Behaviour, prints, works

TRAIN = """
import torch
torch.manual_seed(0)
layer = torch.nn.Linear(3, 1)
optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
x = torch.randn(32, 3); y = x @ torch.tensor([[1.0], [2.0], [3.0]])
for _ in range(200):
    optimizer.zero_grad(); loss = ((layer(x) - y) ** 2).mean(); loss.backward(); optimizer.step()
print(loss.item() < 0.1)
"""
PLOT = """
import matplotlib.pyplot as plt
plt.plot([1, 2, 3]); plt.title("a"); plt.savefig("p.png"); plt.close()
print(open("p.png", "rb").read(4)[1:])
"""
LOAD = """
import torch
from torch.utils.data import DataLoader, TensorDataset
rows = TensorDataset(torch.arange(8))
print(sum(int(b[0].sum()) for b in DataLoader(rows, batch_size=2, num_workers=2, prefetch_factor=2,
                                              persistent_workers=True)))
"""
TEMP = """
import os, tempfile
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as file:
    open(os.path.join(folder, "x"), "w").write("x"); file.write(b"y")
    print(os.listdir(folder))
"""
MAGICS = (
    "%matplotlib inline\n%config InlineBackend.figure_format = 'retina'\n"
    "!pip install everything\nfiles = !ls\n%pip install x\n%load_ext autoreload\n"
    "%autoreload 2\n%unheard_of\nprint('done')"
)
AWAIT = (
    "import asyncio\nawait asyncio.sleep(0)\nfrom IPython.display import display\n"
    "display('shown')\n6 * 7"
)
TASKS = "import asyncio\nasync def f(n): return n\nprint(await asyncio.gather(f(1), f(2)))"

ALL: tuple[Behaviour, ...] = (
    works("four threads", FOUR_THREADS, "[0, 1, 2, 3]\n"),
    works(
        "four threads of torch",
        "import torch; torch.set_num_threads(4)\n"
        "print(float((torch.ones(600, 600) @ torch.ones(600, 600)).mean()))",
        "600.0\n",
    ),
    Behaviour(
        name="no more threads of torch than the box can hold",
        cells=("import torch; torch.set_num_threads(64); print(torch.get_num_threads())",),
        holds=lambda seen: int(seen.text) <= 4,
    ),
    works("training", TRAIN, "True\n"),
    works("a plot", PLOT, "b'PNG'\n"),
    works("a data loader with workers", LOAD, "28\n"),
    works("temporary files", TEMP, "['x']\n"),
    works("top-level await and displays", AWAIT, "'shown'42"),
    works("several tasks at once", TASKS, "[1, 2]\n"),
    works(
        "time", "import time; t = time.time(); time.sleep(0.01); print(time.time() > t)", "True\n"
    ),
    works(
        "its own source",
        "import inspect\ndef f(): return 1\nprint(inspect.getsource(f))",
        "def f(): return 1\n\n",
    ),
    works(
        "the source of a library",
        "import inspect, torch\nprint('def forward' in inspect.getsource(torch.nn.Linear))",
        "True\n",
    ),
    works(
        "random bytes",
        "import os, secrets\nprint(len(os.urandom(8)), len(secrets.token_hex()))",
        "8 64\n",
    ),
    works(
        "processors and memory",
        "import os; print(os.cpu_count() > 0, 'MemTotal' in open('/proc/meminfo').read())",
        "True True\n",
    ),
    works(
        "a pool of threads",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "print(list(ThreadPoolExecutor(4).map(abs, [-1, -2])))",
        "[1, 2]\n",
    ),
    works("the time zone", "import datetime; print(datetime.datetime.now().year > 2000)", "True\n"),
    *(
        Behaviour(
            name=f"leaving politely ends only the cell: {leave}",
            cells=(f"import sys; {leave}", "print('still here')"),
            holds=prints("still here\n"),
        )
        for leave in ("sys.exit(0)", "exit()", "quit()", "raise SystemExit")
    ),
    Behaviour(
        name="input does not wait",
        cells=("input('name? ')",),
        holds=lambda seen: seen.text.startswith("EOFError"),
    ),
    Behaviour(
        name="magics and commands do not fail a cell",
        cells=(MAGICS,),
        holds=lambda seen: seen.text.endswith("done\n"),
    ),
    Behaviour(
        name="a cell of the shell is a note",
        cells=("%%bash\nls",),
        holds=lambda seen: seen.text.startswith("Note"),
    ),
    Behaviour(
        name="a timed cell runs",
        cells=("%%time\nprint('done')",),
        holds=lambda seen: "done" in seen.text,
    ),
    works("a semicolon keeps the value of a cell to itself", "6 * 7;", ""),
)
