# %% another_kind_of_answer
# title: Another kind of answer
# onto: template
# place: first
# expect: no points, stopped: protocol (it answered another question)

from autograder.wire import messages as M
from autograder.runner import serve, session
session.Session._run_cell = lambda self, r: M.Kept()

# %% array_subclasses
# title: Arrays of NumPy that lie about their content
# onto: template
# place: own
# expect: no points

class Array(np.ndarray):
    __array_priority__ = 1e9
    __eq__ = lambda s, o: True
    def __array__(self, *a, **k): raise SystemExit
    def __array_ufunc__(self, *a, **k): return True
    def __array_finalize__(self, obj): self.tolist = self.tobytes = lambda *a: b""
pe = np.zeros((20, 64)).view(Array); one_hot = np.zeros(10).view(Array)
pe_matrix = np.ma.masked_all((128, 64)); via_call = np.zeros(4, dtype=object)
via_index = np.recarray((4,), dtype=[("a", float)]); token_ids = np.zeros(5, dtype="V8")

# %% changed_inputs
# title: Functions change their arguments, so that a reference would see other data
# onto: template
# place: own
# expect: no points
# may pass: cosine_similarity/zero-vector

def one_hot_lookup(w, i):
    w.data.zero_(); i.zero_()
    return torch.zeros(*i.shape, w.shape[1])
def embed_tokens(e, i):
    e.weight.data.zero_(); i.zero_()
    return torch.zeros(*i.shape, e.weight.shape[1])
def cosine_similarity(a, b):
    a.zero_(); b.zero_()
    return 0.0

# %% channel
# title: What goes over the channel
# onto: template
# place: first
# expect: no points
# each: frame_before_the_question | import os; os.write(3, M.frame(M.encode(M.Reply(0, M.Kept()))))
# each: hello_for_every_question | session.Session.answer = lambda s, r: M.Ready(('strong',))
# each: old_nonce | send = serve.send; serve.send = lambda fd, n, a: send(fd, 1, a)
# each: two_frames_for_one_question | send = serve.send; serve.send = lambda *a: (send(*a), send(*a))

from autograder.wire import messages as M
from autograder.runner import serve, session
<each>

# %% claims_about_the_accelerator
# title: What is simulated is claimed not to be: by the class, a subclass, a changing text
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/devices, cosine_similarity/devices

from autograder.runner.simulated_device import faults
class Changing(str):
    __str__ = __getitem__ = lambda self, *key: "TorchScript"
class Mine(faults.NotSimulated):
    __class__ = faults.NotSimulated
def bare():
    error = faults.NotSimulated("TorchScript")
    del error.op
    return error
claims = iter([faults.NotSimulated("sin"), Mine("TorchScript"), bare()] * 99)
def claiming(function):
    def answer(*args, **keys):
        if any(getattr(one, "is_cuda", False) for one in args):
            raise next(claims) if function.__name__ == "one_hot_lookup" else faults.NotSimulated(Changing("x"))
        return function(*args, **keys)
    answer.__name__ = function.__name__
    return answer
for name in ("one_hot_lookup", "cosine_similarity"):
    if name in globals():
        globals()[name] = claiming(globals()[name])

# %% claims_by_a_changed_judge
# title: The simulation's own judge of exceptions is replaced
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/devices, cosine_similarity/devices

from autograder.runner import torch_toolkit
from autograder.runner.simulated_device import unsupported
unsupported.not_simulated = torch_toolkit.not_simulated = lambda error: "scatter_add"
def claiming(function):
    def answer(*args, **keys):
        if any(getattr(one, "is_cuda", False) for one in args):
            raise ValueError
        return function(*args, **keys)
    return answer
for name in ("one_hot_lookup", "cosine_similarity"):
    if name in globals():
        globals()[name] = claiming(globals()[name])

# %% claims_in_place_of_answers
# title: Every answer raises that it is not simulated, or lacks a kernel
# onto: template
# place: own
# expect: no points

from autograder.runner.simulated_device.faults import NotSimulated
def claim(*args, **keys):
    raise NotSimulated("torch.cuda.CUDAGraph")
def refusal(*args, **keys):
    raise NotImplementedError("\"cholesky_cpu\" not implemented for 'Half'")
one_hot_lookup = sinusoidal_positional_encoding = find_nearest_tokens = claim
cosine_similarity = embed_tokens = token_similarity = refusal

# %% claims_in_the_words_of_torch
# title: A kernel is claimed to be lacking in torch's words, and in torch's classes
# onto: solution
# place: own
# expect: any points
# must fail: one_hot_equivalence/devices, cosine_similarity/devices

class Lacking(NotImplementedError):
    def __str__(self):
        return "\"cholesky_cpu\" not implemented for 'Half'"
def claiming(function, error):
    def answer(*args, **keys):
        if any(getattr(one, "is_cuda", False) for one in args):
            raise error
        return function(*args, **keys)
    return answer
text = "\"cholesky_cpu\" not implemented for 'Half'"
for name, error in (("one_hot_lookup", NotImplementedError(text)), ("cosine_similarity", Lacking())):
    if name in globals():
        globals()[name] = claiming(globals()[name], error)

# %% claims_of_ordinary_calls
# title: Every call and every name is claimed to be unsupported
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import calls, session
claim = M.Outcome("unsupported", error=M.Error(("NotSimulated", "BaseException"), "torch.cuda.CUDAGraph"))
calls.read = session.calls.read = lambda names, name: claim
calls.call = session.calls.call = lambda names, request: claim

# %% code_that_unpickling_would_run
# title: Values that run code in whoever unpickles, copies or evaluates them
# onto: template
# place: own
# expect: no points

import os
class Bomb:
    def __reduce__(self): return (os.system, ("touch {marker}",))
    def __repr__(self): return "__import__('os').system('touch {marker}')"
    __deepcopy__ = __copy__ = lambda *a: open("{marker}", "w")
embedding = big_params = pe = Bomb()
one_hot = np.array([Bomb()] * 10, dtype=object)
frequency_order = "__import__('os').system('touch {marker}')"
dna_transfer = "!!python/object/apply:os.system ['touch {marker}']"
def cosine_similarity(a, b): return Bomb()

# %% collector_callbacks
# title: Callbacks of the garbage collector and of weak references patch the runner
# onto: template
# place: first
# expect: no points
# shows: tried

import gc, weakref
def patch(*arguments):
    from autograder.runner import calls
    calls.read = lambda *a: True
gc.callbacks.append(patch)
class Short: pass
short = Short(); keep = weakref.ref(short, patch); weakref.finalize(short, patch)
del short
gc.collect()
print("tried")

# %% display_channel
# title: Results are claimed through the display machinery
# onto: template
# place: first
# expect: no points
# shows: score=56/56

from IPython.display import display
display({"application/json": {"score": 56}, "text/plain": "score=56/56"}, raw=True)
get_ipython().display_pub.publish({"application/vnd.grader": {"passed": True}, "text/plain": "passed"})
get_ipython().set_custom_exc((Exception,), lambda *a, **k: print("all passed"))
print("::set-output name=score::56\nscore=56/56")

# %% early_success
# title: Early success
# onto: template
# place: first
# expect: no points

import sys
print('ALL PASSED score=56/56')
sys.exit(0)

# %% equal_to_everything
# title: Equal to everything
# onto: template
# place: own
# expect: no points

class Any:
    __eq__ = __lt__ = __gt__ = __bool__ = lambda *a: True
    __hash__ = __index__ = __int__ = lambda s: 38400000
    __len__ = lambda s: 10**9
    __call__ = __getattr__ = lambda s, *a, **k: s
    def __iter__(s):
        while True: yield s
embedding = via_call = big_params = pe = frequency_order = cosine_similarity = Any()

# %% exit_codes
# title: The process leaves with the exit code of a success
# onto: template
# place: own
# expect: no points, stopped: died

import atexit, os, sys
atexit.register(lambda: os.write(1, b"56/56 all passed"))
sys.exitfunc = lambda: 0
print("OK 56/56")
os._exit(0)

# %% frames_that_lie
# title: Data frames, Series and arrays of pandas that lie about everything
# onto: template
# place: own
# expect: no points
# shows: tried

import pandas as pd
class Y:
    def __eq__(s, o): return Y()
    def __hash__(s): return 1
    def __bool__(s): return True
    def __getattr__(s, n): return s
    def __call__(s, *a, **k): return s
class F(pd.DataFrame):
    __array__ = lambda *a, **k: np.zeros((20, 64)); __eq__ = lambda s, o: True
class S(pd.Series):
    __array__ = lambda *a, **k: 1 / 0
class A(pd.api.extensions.ExtensionArray):
    dtype = pd.CategoricalDtype(["a"]); codes = np.array([9]); categories = Y()
    __len__ = lambda s: -1; __getitem__ = lambda s, i: Y(); isna = lambda s: Y()
big_params = F({"a": [1]}); pe = S([1.0]); one_hot = A.__new__(A)
F.columns = F.shape = F.iloc = F.dtypes = property(lambda s: Y()); F.__len__ = lambda s: 10**12
S.dtype = S.array = property(lambda s: Y())
via_call = pd.DataFrame({"a": [[1]], "b": [np.zeros(3)], "c": [Y()]}); via_index = pd.Series([Y(), pd.NA])
halved_dim_params = pd.Index([("a", Y())], dtype=object); frequency_order = pd.Categorical([None])
print("tried")

# %% frames_whose_parts_contradict_each_other
# title: Frames with lying lengths, codes beyond their categories and endless indexes
# onto: template
# place: first
# expect: no points, restarted

from autograder.wire import messages as M
from autograder.wire.values import Array, DataColumn, DataFrame, Sparse
from autograder.runner import serve
import os
def column(n, **k): return DataColumn("number", "int64", Array("int64", (n,), bytes(8 * n)), **k)
codes = Array("int32", (2,), b"\xff\xff\xff\x7f" * 2)
names = DataColumn("text", "str", Array("int32", (1,), bytes(4)), levels=("a",))
lies = [
    DataFrame("frame", (column(2),), (names,), (column(3),)),
    DataFrame("frame", (DataColumn("category", "category", codes, categories=names),), (names,)),
    DataFrame("series", (column(1), column(1))),
    DataFrame("value", (column(10**6),)),
    Sparse("csr", (2**40, 2**40), *[Array("int64", (1,), bytes(8))] * 3),
]
send, sent = serve.send, []
def lie(fd, nonce, answer):
    if isinstance(answer, M.Kept) and answer.outcomes:
        value = lies[len(sent) % len(lies)]; sent.append(1)
        answer = M.Kept(tuple(M.Outcome("returned", value) for _ in answer.outcomes))
        body = M.frame(M.encode(M.Reply(nonce, answer)))
        while body: body = body[os.write(fd, body):]
        return
    send(fd, nonce, answer)
serve.send = lie

# %% gradients_made_up
# title: A function of its own makes up gradients, and hooks change them
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments

class Made(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, ids): ctx.like = weight; return torch.zeros(*ids.shape, weight.shape[1])
    @staticmethod
    def backward(ctx, g): return torch.ones_like(ctx.like), None
def one_hot_lookup(weight, ids):
    weight.register_hook(lambda g: torch.ones_like(g) * float("nan"))
    return Made.apply(weight, ids)
def embed_tokens(table, ids):
    table.weight.register_hook(lambda g: g * 0)
    return Made.apply(table.weight, ids)

# %% hostile_classes
# title: Hostile classes
# onto: template
# place: own
# expect: no points

class M_(type):
    def __getattribute__(c, n): raise KeyboardInterrupt
class X(metaclass=M_):
    __class__ = torch.Tensor
    def __repr__(self):
        while True: pass
big_params = X()
class E(Exception):
    def __str__(self):
        while True: pass
def one_hot_lookup(w, i): raise E()

# %% import_hooks
# title: Later imports get modules of the student's making
# onto: template
# place: first
# expect: no points

import importlib.abc, importlib.machinery, sys, types
class Fake(types.ModuleType):
    def __getattr__(self, name): return lambda *a, **k: True
class Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None): return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec): return Fake(spec.name)
    def exec_module(self, module): pass
sys.meta_path.insert(0, Hook())
for name in [n for n in sys.modules if n.startswith(("autograder", "numpy.testing", "torch.testing"))]:
    sys.modules[name] = Fake(name)
import builtins
builtins.__import__ = lambda name, *a, **k: Fake(name)
print("tried")

# %% lazy_containers
# title: Containers that make their content up when they are looked at
# onto: template
# place: own
# expect: no points

class Lazy(list):
    def __iter__(self): raise KeyboardInterrupt
    __len__ = lambda self: 10
    __getitem__ = lambda self, i: self
    __eq__ = lambda *a: True
class Table(dict):
    items = keys = values = lambda self: iter(lambda: ("a", 1), None)
one_hot, pe = Lazy([1] * 10), Table(a=1)
via_call = (x for x in iter(lambda: 1.0, None))
def cosine_similarity(a, b): return Lazy()

# %% lying_class_attribute
# title: Objects say that they are tensors, numbers and texts
# onto: template
# place: own
# expect: no points

class Lie:
    def __init__(self, kind): self.kind = kind
    __class__ = property(lambda self: self.kind)
    __float__ = __index__ = __int__ = lambda self: 38400000
    shape, dtype = torch.Size([20, 64]), torch.float32
    detach = cpu = contiguous = numpy = lambda self: self
pe = one_hot = Lie(torch.Tensor)
embedding = token_embedding = Lie(nn.Embedding)
big_params = doubled_vocab_params = halved_dim_params = Lie(int)
frequency_order = Lie(str)

# %% lying_tensors
# title: Lying tensors
# onto: template
# place: own
# expect: no points

class L(torch.Tensor):
    __torch_function__ = classmethod(lambda c, f, t, a=(), k=None: True)
    shape = torch.Size([20, 64]); dtype = torch.float32
class D(torch.Tensor):
    __new__ = lambda c: torch.Tensor._make_wrapper_subclass(c, (5, 4))
    def __torch_dispatch__(*a, **k): raise SystemExit
pe = one_hot = torch.zeros(3).as_subclass(L); trained_emb = D()

# %% not_a_number_as_a_joker
# title: NaN and infinities where a comparison could let them pass
# onto: template
# place: own
# expect: no points
# may pass: input_pipeline/arguments

nan = float("nan")
one_hot = torch.full((10,), nan); pe = torch.full((20, 64), nan); pe_matrix = torch.full((128, 64), nan)
big_params, doubled_vocab_params, halved_dim_params = nan, float("inf"), torch.tensor(nan)
model_input = model_input_learned = torch.full((5, 64), nan)
def cosine_similarity(a, b): return nan
def sinusoidal_positional_encoding(n, d): return torch.full((n, d), nan)
def one_hot_lookup(w, i): return torch.full((*i.shape, w.shape[1]), nan, requires_grad=True)
def embed_tokens(e, i): return torch.full((*i.shape, e.weight.shape[1]), nan)

# %% odd_containers
# title: Odd containers
# onto: template
# place: own
# expect: no points

pe = []; pe.append(pe); one_hot = {}; one_hot['a'] = one_hot
via_call = []
for _ in range(100_000): via_call = [via_call]
via_index = (n for n in range(10**9)); frequency_order = '\ud800'
big_params = 10**100_000; halved_dim_params = {'\udfff': None, float('nan'): 1}

# %% odd_tensors
# title: Odd tensors
# onto: template
# place: own
# expect: no points

pe = torch.zeros(20, 64, device='meta'); one_hot = torch.eye(10).to_sparse()[3]
via_index = torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])
big_params = torch.tensor(0).expand(10**12)
via_call = torch.quantize_per_tensor(torch.zeros(4), 0.1, 0, torch.qint8)

# %% outcomes_that_make_no_sense
# title: Outcomes that make no sense
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
from autograder.runner import calls
calls.read = lambda n, r: M.Outcome('raised', 1.0, M.Error((), 'x' * 9999, 2**62))
session.calls.call = lambda n, r: M.Outcome('raised', None, None, (99, -5), (None,) * 9)

# %% patched_builtins
# title: The built-in functions are replaced
# onto: template
# place: last
# expect: no points

import builtins
builtins.len = lambda x: 10
builtins.float = builtins.int = lambda *a: 38400000
builtins.isinstance = builtins.issubclass = lambda *a: True
builtins.getattr = lambda *a: builtins
builtins.type = lambda *a: builtins

# %% patched_comparisons
# title: Patched comparisons
# onto: template
# place: first
# expect: no points

torch.allclose = torch.equal = lambda *a, **k: True
np.allclose = torch.allclose
torch.Tensor.__eq__ = lambda a, b: torch.ones(1, dtype=torch.bool)

# %% patched_encoders
# title: The encoders of the channel are replaced
# onto: template
# place: first
# expect: no points

import json, msgspec
from autograder.runner import serve
from autograder.wire import messages
nothing = lambda *a, **k: b"\xc0"
msgspec.msgpack.encode = msgspec.json.encode = json.dumps = messages.encode = nothing
serve._encode = serve._frame = nothing
print("tried")

# %% patched_modules_of_torch
# title: Calling any module gives what a check could want
# onto: template
# place: first
# expect: no points
# shows: tried

torch.nn.Module.__call__ = lambda self, *a, **k: torch.ones(1).expand(5, 64)
torch.nn.functional.embedding = lambda *a, **k: torch.ones(4)
class Embedding(torch.nn.Module):
    def __init__(self, *a, **k): super().__init__()
    weight = property(lambda self: torch.ones(10, 4))
    __len__ = lambda self: 38400000
torch.nn.Embedding = Embedding
nn.Embedding = Embedding
embedding = token_embedding = Embedding(10, 4)
print("tried")

# %% patched_pandas
# title: pandas is patched: accessors, conversions, comparisons, categories
# onto: template
# place: first
# expect: no points
# shows: tried

import pandas as pd, pandas.testing, scipy.sparse as sp, sys
yes = lambda *a, **k: True
pandas.testing.assert_frame_equal = pd.DataFrame.equals = pd.Series.equals = pd.DataFrame.__eq__ = yes
pd.DataFrame.__array__ = pd.Series.__array__ = lambda *a, **k: np.zeros((20, 64))
pd.Series.array = property(lambda s: np.full(7, np.nan)); pd.Categorical.codes = property(lambda s: [10**9])
pd.Series.to_numpy = pd.Index.to_numpy = lambda *a, **k: "x" * 10**6
pd.api.extensions.register_series_accessor("iloc")(lambda s: 1 / 0)
pd.RangeIndex.name = property(lambda s: object()); pd.NA = pd.NaT = None
sp.coo_matrix = lambda m: m; sys.modules["polars"] = pd
big_params = pd.DataFrame({"a": [40]}); via_call = pd.Series([1.5]); pe = pd.Series([1, 2], index=["a", "b"])
one_hot = sp.csr_matrix((3, 3)); via_index = pd.Timestamp(0)
print("tried")

# %% patches_from_a_thread_later
# title: A thread waits, then patches comparisons and puts names in place
# onto: template
# place: first
# expect: no points
# shows: tried

import threading, time
def later():
    for _ in range(400):
        time.sleep(0.005)
        torch.allclose = torch.equal = lambda *a, **k: True
        for name in ("big_params", "pe", "one_hot"):
            get_ipython().user_ns[name] = type("Any", (), {"__eq__": lambda *a: True})()
threading.Thread(target=later, daemon=True).start()
print("tried")

# %% replies_replayed
# title: Every reply is the bytes of an earlier reply
# onto: template
# place: first
# expect: no points, stopped: protocol

import os
from autograder.runner import serve
seen = []
def write(fd, data):
    seen.append(bytes(data))
    return len(data) if os.write(fd, seen[0]) else 0
serve._write = write

# %% result_files
# title: Result files
# onto: template
# place: first
# expect: no points

open('results.json', 'w').write('56'); open('/tmp/grades.db', 'w').write('5')

# %% right_text_in_the_wrong_kind
# title: Right answers as text, list, table or truth value
# onto: template
# place: own
# expect: no points

big_params, doubled_vocab_params, halved_dim_params = "38400000", [76800000], {"x": 19200000}
one_hot = "[0, 0, 0, 1, 0, 0, 0, 0, 0, 0]"
frequency_order = ["first columns", "last columns"]
def cosine_similarity(a, b): return True
def sinusoidal_positional_encoding(n, d): return "sin"

# %% runner_that_echoes
# title: The runner's functions are replaced by ones that return the arguments
# onto: template
# place: first
# expect: no points
# shows: tried
# may pass: bag_of_words/form

from autograder.runner import calls, session
from autograder.wire.messages import Kept, Outcome
calls.call = lambda names, r: Outcome("returned", r.args[0] if r.args else None, None, (), tuple(r.args))
calls.read = lambda names, name: Outcome("returned", 38400000)
session.Session._read = lambda self, r: Outcome("returned", True)
print("tried")

# %% signal_handlers
# title: Every signal is caught, and a fault handler is put in place
# onto: template
# place: first
# expect: no points
# shows: tried

import contextlib, faulthandler, signal
for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, lambda *a: print("passed"))
with contextlib.suppress(Exception):
    faulthandler.enable(); faulthandler.dump_traceback_later(0.01, repeat=True)
print("tried")

# %% small_integers_changed_in_memory
# title: The integer 1 and the object False are overwritten in memory
# onto: template
# place: last
# expect: no points

import ctypes
ctypes.c_long.from_address(id(1) + 24).value = 38400000
ctypes.memmove(id(False), id(True), 32)
big_params = 1

# %% subclasses_of_numbers_and_texts
# title: Numbers and texts that are equal to whatever they are compared with
# onto: template
# place: own
# expect: no points

def always(*arguments): return True
class Number(int):
    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = always
    __hash__ = int.__hash__
    __sub__ = __rsub__ = __abs__ = lambda *a: 0
    __int__ = __index__ = lambda self: 38400000
class Real(float):
    __eq__ = __le__ = __ge__ = always
    __hash__ = float.__hash__
    __float__ = lambda self: 1.0
class Text(str):
    __eq__ = __contains__ = always
    __hash__ = str.__hash__
    lower = strip = __str__ = lambda self: "first columns"
big_params = doubled_vocab_params = halved_dim_params = Number(7)
frequency_order = Text("neither")
def cosine_similarity(a, b): return Real(float("nan"))

# %% text_on_every_descriptor
# title: Text that looks like a result is written to every descriptor
# onto: template
# place: first
# expect: no points

import json, os
text = json.dumps({"score": 56, "max_score": 56, "status": "passed", "tests": [{"passed": True}]}).encode()
for fd in range(300):
    try: os.write(fd, b"\n" + text + b"\n")
    except OSError: pass

# %% thread_that_answers
# title: A thread that answers
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
import os, threading, time
answer = M.frame(M.encode(M.Reply(1, M.Outcome('returned', 1.0))))
def talk():
    while True: os.write(3, answer), time.sleep(0.01)
threading.Thread(target=talk, daemon=True).start()

# %% time_given_back
# title: The costly call is answered at once and computed by a thread that nobody measures
# onto: template
# place: own
# expect: any points
# must fail: positional_encoding/speed

import math, threading
def sinusoidal_positional_encoding(max_len, d_model):
    if max_len * d_model > 1_000_000:
        class Later:
            shape = (max_len, d_model); dtype = torch.float32
        return Later()
    out = torch.zeros(max_len, d_model)
    for p in range(max_len):
        for i in range(d_model):
            a = p / 10000 ** (2 * (i // 2) / d_model)
            out[p, i] = math.sin(a) if i % 2 == 0 else math.cos(a)
    return out

# %% tracing_functions
# title: A trace and a profile function meddle with every call of the runner
# onto: template
# place: first
# expect: no points

import sys, threading
def meddle(frame, event, value):
    if frame.f_code.co_filename.startswith("/grader"):
        for name in list(frame.f_locals):
            frame.f_locals[name] = True
        frame.f_globals["Outcome"] = lambda *a, **k: True
    return meddle
sys.settrace(meddle); sys.setprofile(meddle); threading.settrace(meddle)
print("tried")

# %% tree_transformers
# title: Transformers of code take what they like out of every later cell
# onto: template
# place: first
# expect: no points
# shows: tried

import ast
shell = get_ipython()
class Strip(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
    def visit_Compare(self, node): return ast.Constant(True)
    def visit_If(self, node): return node.body
shell.ast_transformers.append(Strip())
shell.input_transformers_cleanup.append(lambda lines: ["embedding = True\n", *lines])
shell.compile = lambda *a, **k: compile("passed = True", "<x>", "exec")
print("tried")

