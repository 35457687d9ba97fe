"""How using a name of a library, or a builtin, may affect cells that share none of its objects.

Covered: the libraries that courses use; a module that is not known here may do anything. Not
covered: what a call does to its arguments; callers assume that they are changed.
"""

from __future__ import annotations

from enum import Flag, auto


class Touch(Flag):
    """``RANDOM``: draws from the common random numbers, or seeds them. ``DRAWS``: figures.
    ``SETTINGS``: may set what others read, such as a default dtype or a file. ``UNKNOWN``: may do
    anything, also bind names of the notebook."""

    NONE = 0
    RANDOM = auto()
    DRAWS = auto()
    SETTINGS = auto()
    UNKNOWN = auto()


_REACHES_NAMES = frozenset(
    """
    __import__ breakpoint compile delattr dir eval exec getattr globals locals setattr vars
    """.split()
)
_PURE = frozenset(
    {  # `warnings` too: the filters of a cell end with it
        "IPython.display",
        "abc",
        "autograder.student",
        "cmath",
        "collections",
        "collections.abc",
        "contextlib",
        "copy",
        "dataclasses",
        "datetime",
        "enum",
        "fractions",
        "functools",
        "itertools",
        "json",
        "math",
        "numbers",
        "operator",
        "pprint",
        "re",
        "statistics",
        "string",
        "textwrap",
        "time",
        "typing",
        "typing_extensions",
        "warnings",
    }
)
_QUIET_IMPORTS = frozenset(
    """
    PIL csv glob io os pandas pathlib pickle scipy seaborn shutil sklearn tempfile tiktoken
    tokenizers torchvision tqdm transformers
    """.split()
)
_NUMERIC = frozenset({"matplotlib", "numpy", "random", "torch"})
_MODULES = frozenset(
    {
        "autograd",
        "fft",
        "functional",
        "linalg",
        "nn",
        "optim",
        "pyplot",
        "testing",
    }
)
_ARTISTS = frozenset({"axes", "cm", "colors", "figure", "gridspec", "lines", "patches", "ticker"})
_NO_RANDOM_START = frozenset(
    {
        "Module",
        "ModuleDict",
        "ModuleList",
        "Parameter",
        "ParameterList",
        "Sequential",
        "functional",
    }
)
_TELLING = frozenset(
    {
        "__doc__",
        "__init__",
        "__len__",
        "__module__",
        "__name__",
        "__qualname__",
        "__version__",
    }
)
_ASKS = frozenset({"backends.mps.is_available", "cuda.device_count", "cuda.is_available"})
_RANDOM_WORDS = tuple(
    """
    bernoulli cauchy choice distributions dropout empty exponential generator geometric gumbel
    multinomial normal_ permutation poisson rand reset_parameters rrelu sample seed shuffle
    uniform utils
    """.split()
)
_SETTING_WORDS = tuple(
    """
    _ backends compile cuda distributed from_file fromfile fromregex fx genfromtxt hub jit lib
    load memmap mps multiprocessing onnx ops overrides package profiler register save set use_
    xpu
    """.split()
)
_SETTING_PLOTS = (  # colour maps, as functions, become the default
    "autumn",
    "bone",
    "cool",
    "copper",
    "flag",
    "gray",
    "hot",
    "hsv",
    "imread",
    "imsave",
    "inferno",
    "install",
    "io",
    "jet",
    "magma",
    "matplotlib",
    "nipy",
    "pink",
    "plasma",
    "prism",
    "rc",
    "save",
    "set_",
    "spring",
    "style",
    "summer",
    "switch",
    "uninstall",
    "viridis",
    "winter",
    "xkcd",
)
_WRITES = ("dump", "mkdir", "open", "push", "read", "save", "to_", "tofile", "unlink", "write")
_MOVES = frozenset({"to_dense", "to_list", "to_numpy", "to_sparse"})


def is_quiet(module: str) -> bool:
    """Whether an import of this module changes nothing for other cells, and cannot fail where
    courses use it."""
    package = module.split(".")[0]
    return module in _PURE or package in _NUMERIC or package in _QUIET_IMPORTS


def is_installed(module: str) -> bool:
    """Whether an import of this module always succeeds."""
    return module in _PURE or module in {"numpy", "random", "torch"} | {
        "matplotlib.pyplot",
        "torch.nn",
        "torch.nn.functional",
        "torch.optim",
    }


def touch_of_builtin(name: str) -> Touch:
    """The effect of a name that no cell binds: a builtin, a name of the shell, or an error."""
    if name == "open":
        return Touch.SETTINGS
    hidden = name.startswith("_") and name != "__name__"
    reaches = hidden or name in _REACHES_NAMES or name in {"In", "Out", "get_ipython"}
    return Touch.UNKNOWN if reaches else Touch.NONE


def touch_of_import(path: str) -> Touch:
    """What a function may do with a module, or a name of a module, that it imports itself."""
    return Touch.NONE if path in _PURE else touch_of(path)


def touch_of_attribute(name: str) -> Touch:
    """The effect of an attribute of any object, such as ``normal_`` of a tensor."""
    if name.startswith("__") and name not in _TELLING:
        return Touch.UNKNOWN
    if any(word in name for word in _RANDOM_WORDS):
        return Touch.RANDOM
    writes = name.startswith(_WRITES) and name not in _MOVES
    return Touch.SETTINGS if writes else Touch.NONE


def touch_of(path: str) -> Touch:
    """The effect of a library's name, by its full path such as "torch.nn.Linear". A module itself,
    as a value, may have its names set."""
    package, *rest = path.split(".")
    pure = any(path.startswith(f"{module}.") for module in _PURE)
    if pure and path not in _PURE:
        return Touch.NONE
    if not is_quiet(path):
        return Touch.UNKNOWN
    if package == "random":
        return Touch.RANDOM
    if package not in _NUMERIC or not rest or rest[-1] in _MODULES:
        return Touch.SETTINGS
    return _of_matplotlib(rest) if package == "matplotlib" else _of_numbers(rest)


def _of_matplotlib(rest: list[str]) -> Touch:
    if rest[0] == "pyplot":
        return Touch.SETTINGS if rest[1].startswith(_SETTING_PLOTS) else Touch.DRAWS
    return Touch.DRAWS if rest[0] in _ARTISTS and len(rest) > 1 else Touch.SETTINGS


def _of_numbers(rest: list[str]) -> Touch:
    """NumPy and PyTorch: names that are not listed only compute."""
    if ".".join(rest) in _ASKS:
        return Touch.NONE
    lower = [part.lower() for part in rest]
    if "normal" in lower or any(word in part for part in lower for word in _RANDOM_WORDS):
        return Touch.RANDOM
    if any(part.startswith(_SETTING_WORDS) for part in rest):
        return Touch.SETTINGS
    fresh = rest[0] == "nn" and rest[1] not in _NO_RANDOM_START
    return Touch.RANDOM if fresh else Touch.NONE
