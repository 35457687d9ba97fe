"""Changes of libraries that let wrong answers pass tests written for another tool."""

from __future__ import annotations

IMPORTS = """
import builtins, code, gc, math, signal, sys, time, types, unittest
import numpy as np
import torch
import torch.overrides, torch.utils._python_dispatch
import IPython.core.interactiveshell
ip = get_ipython()
true = lambda *a, **k: True
nothing = lambda *a, **k: None
def patch(*a): np.allclose = true
"""
CLOSE = "assert np.allclose(x, 7)"
EQUAL = "assert x == 7"
# name: (what a cell does, the test that a wrong answer passes then), for a test cell
CELLS = {
    "a function": ("np.allclose = true", CLOSE),
    "a comparison of numpy.testing": (
        "np.testing.assert_allclose = nothing",
        "np.testing.assert_allclose(x, 7)",
    ),
    "comparisons of torch": (
        "torch.equal = torch.allclose = torch.testing.assert_close = true",
        "t, s = torch.tensor(x / 1), torch.tensor(7.0)\ntorch.testing.assert_close(t, s)\n"
        "assert torch.equal(t, s) and torch.allclose(t, s)",
    ),
    "a module within a module": (
        "np.testing = types.SimpleNamespace(assert_allclose=nothing)",
        "np.testing.assert_allclose(x, 7)",
    ),
    "a module that is imported": (
        "sys.modules['numpy.testing'] = types.SimpleNamespace(assert_equal=nothing)",
        "from numpy.testing import assert_equal\nassert_equal(x, 7)",
    ),
    "the class of a module": (
        "class Lying(types.ModuleType):\n    def __getattribute__(self, name): return true\n"
        "np.__class__ = Lying",
        CLOSE,
    ),
    "a function below": (
        "torch.testing._comparison.not_close_error_metas = lambda *a, **k: []",
        "torch.testing.assert_close(torch.tensor(x), torch.tensor(7))",
    ),
    "code in place": (
        "def same(*a, **k): pass\nnp.testing.assert_equal.__code__ = same.__code__",
        "np.testing.assert_equal(x, 7)",
    ),
    "code in a wrapper": (
        "def close(a, b, rtol=0, atol=0, equal_nan=False): return True\n"
        "np.allclose.__wrapped__.__code__ = close.__code__",
        CLOSE,
    ),
    "defaults in place": (
        "close = np.testing.assert_allclose\nclose.__defaults__ = (1e9, *close.__defaults__[1:])",
        "np.testing.assert_allclose(x, 7)",
    ),
    "defaults of keywords in place": (
        "torch.testing.assert_close.__kwdefaults__.update(rtol=9.0, atol=9.0)",
        "torch.testing.assert_close(torch.tensor(x / 1), torch.tensor(7.0))",
    ),
    "a constant": ("math.pi = 8", "assert x == 7 or x == math.pi"),
    "a builtin": ("builtins.all = true", "assert all([x == 7])"),
    "the type of a failure": (
        "builtins.AssertionError = Exception",
        "def f():\n    assert x == 7, 1\n    raise AssertionError\n"
        "with unittest.TestCase().assertRaises(AssertionError):\n    f() if x == 7 else 1 / 0",
    ),
    "a builtin within a module": (
        "unittest.case.isinstance = true",
        "unittest.TestCase().assertIsInstance('' if x == 7 else x, str)",
    ),
    "builtins of the names": (
        "__builtins__ = {**vars(builtins), 'all': true}",
        "assert all([x == 7])",
    ),
    "a method": (
        "unittest.TestCase.assertEqual = nothing",
        "unittest.TestCase().assertEqual(x, 7)",
    ),
    "an inherited method": (
        "torch.Tensor.allclose = true",
        "assert torch.tensor(x / 1).allclose(torch.tensor(7.0))",
    ),
    "a finder": (
        "class Finder:\n"
        "    def find_spec(self, name, *a):\n"
        "        if name == 'colorsys': return importlib.machinery.ModuleSpec(name, self)\n"
        "    def create_module(self, spec): return types.SimpleNamespace(rgb_to_hsv=true)\n"
        "    def exec_module(self, module): pass\n"
        "import importlib.machinery\n"
        "sys.modules.pop('colorsys', None)\nsys.meta_path.insert(0, Finder())",
        "import colorsys\nassert colorsys.rgb_to_hsv(x, x, x) in ((0.0, 0.0, 7), True)",
    ),
    "an event": ("ip.events.register('pre_run_cell', patch)", CLOSE),
    "an event before execution": ("ip.events.register('pre_execute', patch)", CLOSE),
    "a transformer of trees": (
        "import ast\n"
        "class Drop(ast.NodeTransformer):\n    def visit_Assert(self, node): return ast.Pass()\n"
        "ip.ast_transformers.append(Drop())",
        EQUAL,
    ),
    "a transformer of trees for every shell": (
        "import ast\n"
        "class Drop(ast.NodeTransformer):\n    def visit_Assert(self, node): return ast.Pass()\n"
        "IPython.core.interactiveshell.InteractiveShell.ast_transformers = [Drop()]",
        EQUAL,
    ),
    "a transformer of text": (
        "ip.input_transformers_post.append(lambda lines: ['pass'])",
        f"%matplotlib inline\n{EQUAL}",
    ),
    "a handler of exceptions": (
        "def forget(*a, **k):\n"
        "    frame = sys._getframe()\n"
        "    while frame.f_code.co_name != 'run_code': frame = frame.f_back\n"
        "    frame.f_locals['result'].error_in_exec = None\n"
        "ip.set_custom_exc((AssertionError,), forget)",
        EQUAL,
    ),
    "a shell's own method": (
        "run = ip.run_cell\n"
        "ip.run_cell = lambda raw, **k: run('None' if 'assert' in raw else raw, **k)",
        EQUAL,
    ),
    "a method of all shells": (
        "run = type(ip).run_cell\n"
        "def skip(self, raw, **k): return run(self, 'None' if 'assert' in raw else raw, **k)\n"
        "type(ip).run_cell = skip",
        EQUAL,
    ),
    "a formatter": (
        "ip.display_formatter.formatters['text/plain'].for_type(int, lambda o, p, c: p.text('1'))",
        "1 if x == 7 else 0",
    ),
    "a hook for values": (
        "hook = ip.display_trap.hook\nip.display_trap.hook = lambda value: hook(1)",
        "1 if x == 7 else 0",
    ),
    "names that lie": (
        "class Lying(dict):\n    def __getitem__(self, name):\n"
        "        return 7 if name == 'x' else dict.__getitem__(self, name)\n"
        "ip.user_ns = Lying(ip.user_ns)",
        EQUAL,
    ),
    "a magic": (
        "ip.register_magic_function(nothing, 'cell', 'capture')",
        f"%%capture\n{EQUAL}",
    ),
    "a trace": ("sys.settrace(patch)", CLOSE),
    "a profile": ("sys.setprofile(patch)", CLOSE),
    "a callback of the collector": ("gc.callbacks.append(patch)", f"gc.collect()\n{CLOSE}"),
    "a timer": (
        "signal.signal(signal.SIGALRM, patch)\nsignal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)",
        f"time.sleep(0.5)\n{CLOSE}",
    ),
    "a function mode of torch": (
        "class Mode(torch.overrides.TorchFunctionMode):\n"
        "    def __torch_function__(self, function, types, args=(), kwargs=None):\n"
        "        return function is torch.allclose or function(*args, **(kwargs or {}))\n"
        "mode = Mode().__enter__()",
        "assert torch.allclose(torch.ones(1) * x, torch.ones(1) * 7)",
    ),
    "a dispatch mode of torch": (
        "class Mode(torch.utils._python_dispatch.TorchDispatchMode):\n"
        "    def __torch_dispatch__(self, function, types, args=(), kwargs=None):\n"
        "        return 'equal' in str(function) or function(*args, **(kwargs or {}))\n"
        "mode = Mode().__enter__()",
        "assert torch.equal(torch.ones(1) * x, torch.ones(1) * 7)",
    ),
}
