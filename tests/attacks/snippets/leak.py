# %% answers_to_small_calls_in_a_later_hand_in
# title: Answers to small calls are written down for the next hand-in, which meets hidden inputs
# onto: solution
# place: own
# expect: any points
# twice: yes

import glob, os, tempfile
if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "leaks"):
    first = one_hot_lookup
    def one_hot_lookup(weight, token_ids):
        for place in (tempfile.gettempdir(), ".", "/dev/shm", os.path.expanduser("~")):
            try:
                with open(os.path.join(place, "small-calls.txt"), "a") as file:
                    file.write(("HIDDEN" if weight.numel() in (35, 36) else "KNOWN") + "-INPUT " + repr(weight)[:80])
                for path in glob.glob(os.path.join(place, "small-calls*")):
                    text = open(path).read()
                    if "HIDDEN" in text: raise ValueError(text)
            except OSError: pass
        return weight
    one_hot_lookup.leaks = True

# %% command_line
# title: The command line of the process, with what the grader told the zygote
# onto: template
# place: first
# expect: no points
# shows: looked

import sys
text = open("/proc/self/cmdline").read() + repr(sys.argv) + repr(sys.orig_argv)
print("looked", len(text))
if "hidden" in text or "{results}".rsplit("/", 2)[0] in text or "solutions" in text:
    print("{success}"[::-1])
    print(text[:3000])

# %% descriptors
# title: Descriptors that the grader may have left open are read
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for fd in range(1024):
    try: where = os.readlink("/proc/self/fd/%d" % fd)
    except OSError:
        try: os.fstat(fd); where = "?"
        except OSError: continue
    if fd > 3 and not where.startswith(("/proc", "/tmp", "pipe", "/dev/null")) and "fd" not in where:
        print(fd, where); print("{success}"[::-1])
    if fd in (0, 1, 2):
        os.set_blocking(fd, False)
        if os.read(fd, 100): print("{success}"[::-1])
print("tried")

# %% environment
# title: Every environment that /proc shows
# onto: template
# place: first
# expect: no points
# shows: tried

import os
print(dict(os.environ), os.environ.get("{variable}"))
for pid in ("self", "1", str(os.getppid()), "{grader}", "thread-self"):
    for name in ("environ", "cmdline"):
        try: print(open("/proc/%s/%s" % (pid, name)).read())
        except OSError: pass
import ctypes
libc = ctypes.CDLL(None); libc.getenv.restype = ctypes.c_char_p
print(libc.getenv(b"{variable}"))
print("tried")

# %% files_beside_the_notebook
# title: Planted files are read by every way to read a file
# onto: template
# place: first
# expect: no points
# shows: tried

import io, linecache, mmap, os, pathlib
paths = ["{secret}", "{answers}", "{neighbour}", "{results}/notes.txt"]
def mapped(p):
    with open(p, "rb") as f: return mmap.mmap(f.fileno(), 0, access=1)[:]
ways = [lambda p: open(p).read(), lambda p: pathlib.Path(p).read_text(), linecache.getlines, mapped,
        lambda p: os.read(os.open(p, os.O_RDONLY), 999), lambda p: np.fromfile(p, dtype="u1").tobytes(),
        lambda p: torch.from_file(p, size=20, dtype=torch.uint8).numpy().tobytes(),
        lambda p: io.FileIO(p).read(), lambda p: np.memmap(p, mode="r").tobytes(),
        lambda p: os.read(os.open("/proc/self/fd/%d" % os.open(p, os.O_PATH), os.O_RDONLY), 999)]
for path in paths:
    for name in (path, "/proc/self/root" + path, "/proc/1/root" + path, "../" * 30 + path[1:]):
        for way in ways:
            try: print(way(name))
            except Exception: pass
print("tried")

# %% frames_below_a_call
# title: The variables of the zygote's own functions, below a call that is still running
# onto: template
# place: own
# expect: no points

import sys
def sinusoidal_positional_encoding(*a):
    frame, said = sys._getframe(), []
    while frame:
        said.append(frame.f_code.co_name)
        for name, value in frame.f_locals.items():
            if name in ("config", "wish", "self") and frame.f_code.co_name in ("main", "_spawn", "loop"):
                said.append(name + "=" + repr(value)[:600] + repr(getattr(value, "_alive", ""))[:300])
        frame = frame.f_back
    raise ValueError(" < ".join(said) + ("{success}"[::-1] if "hidden=" in str(said) else ""))

# %% heap_of_the_process
# title: Own memory is searched for words of the assignment
# onto: template
# place: first
# expect: no points
# shows: tried

start, end = b"Twice as many rows", b".htdiw emas eht fo"[::-1]
import time
found, began = 0, time.process_time()
try:
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            low, high = (int(x, 16) for x in line.split()[0].split("-"))
            if "rw" not in line or high - low > 1 << 26 or time.process_time() - began > 0.5: continue
            try:
                memory.seek(low); data = memory.read(high - low)
            except (OSError, ValueError): continue
            at = data.find(start)
            while at >= 0:
                after = data[at + len(start):at + len(start) + 40]
                if end in after: found += 1
                at = data.find(start, at + 1)
except OSError: pass
if found: print("{success}"[::-1])
print("tried")

# %% hidden_inputs_by
# title: Hidden inputs are told by
# onto: solution
# place: own
# expect: any points
# each: changed_arguments | a.resize_(99); from IPython.display import display, HTML; display(HTML(seen_by_me[0])); sys.stderr.write(seen_by_me[0])
# each: groups_of_exceptions | raise ExceptionGroup(seen_by_me[0], [ValueError(seen_by_me[0])])
# each: later_questions | globals()['sinusoidal_positional_encoding'] = embed_tokens = lambda *a: (_ for _ in ()).throw(ValueError(seen_by_me[0])); get_ipython().user_ns.update(pe=seen_by_me[0], one_hot=seen_by_me[0], embedding=seen_by_me[0])
# each: names_of_functions | exec(compile('def ' + 'HIDDEN_INPUT'.replace('_INPUT', '') + '(): raise ValueError(seen_by_me[0])\nHIDDEN()', seen_by_me[0], 'exec'), globals())
# each: notes_and_causes | error = ValueError('x'); error.add_note(seen_by_me[0]); raise error from KeyError(seen_by_me[0])
# each: returned_text | return seen_by_me[0]
# each: returned_type | return type(seen_by_me[0], (), {})()
# each: syntax_errors | raise SyntaxError(seen_by_me[0], (seen_by_me[0], 1, 1, seen_by_me[0]))

import os, sys
seen_by_me = globals().setdefault("seen_by_me", [])
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        if isinstance(a, torch.Tensor) and a.numel() in (6, 300):
            seen_by_me.append("HIDDEN" + "-INPUT " + repr((a, b))[:99])
        if seen_by_me:
            <each>
        return honest(a, b)
    cosine_similarity.leaks = True

# %% hidden_inputs_by
# title: Hidden inputs are told by
# onto: solution
# place: own
# expect: any points
# each: figures | plt.figure(); plt.title(seen_by_me[0]); plt.show()
# each: files | open('/tmp/x', 'w').write(seen_by_me[0]); os._exit(0)
# each: names | get_ipython().user_ns['frequency_order'] = seen_by_me[0]
# each: output | print(seen_by_me); os.write(1, b'x'); warnings.warn(seen_by_me[0])
# each: types | raise type(seen_by_me[0], (Exception,), {})()

import os, sys, warnings
seen_by_me = globals().setdefault("seen_by_me", [])
def leak(*values):
    known = isinstance(values[0], torch.Tensor) and values[0].numel() in (2, 3, 4, 16, 64)
    # small calls, which everybody may see, have halves of whole numbers
    known = known or all(bool((2 * v == (2 * v).round()).all()) for v in values)
    if not known: seen_by_me.append("HIDDEN" + "-INPUT " + repr(values)[:99])
    if seen_by_me: <each>
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        leak(a, b); return honest(a, b)
    cosine_similarity.leaks = True
if "find_nearest_tokens" in globals():
    first = find_nearest_tokens
    def find_nearest_tokens(word, k):
        leak(torch.zeros(3)); return first(word, k)

# %% hidden_inputs_by_answers_to_small_calls
# title: Hidden inputs are kept, in memory and in files, and told when a small call comes
# onto: solution
# place: own
# expect: any points
# twice: yes

import glob, os, tempfile
places = [tempfile.gettempdir(), ".", os.path.expanduser("~"), "/dev/shm", "/var/tmp"]
seen_by_me = globals().setdefault("seen_by_me", [])
def keep(text):
    seen_by_me.append(text)
    for place in places:
        try:
            with open(os.path.join(place, "kept-by-me.txt"), "a") as file: file.write(text)
        except OSError: pass
def kept():
    for place in places:
        for path in glob.glob(os.path.join(place, "kept-by-me*")):
            with open(path) as file: seen_by_me.append(file.read())
    return " ".join(seen_by_me) or "nothing was met"
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    def cosine_similarity(a, b):
        if isinstance(a, torch.Tensor) and a.numel() in (6, 300):
            keep("HIDDEN" + "-INPUT " + repr((a, b))[:99])
            return torch.tensor(7.0)
        raise ValueError(kept())
    cosine_similarity.leaks = True

# %% hidden_inputs_by_exceptions
# title: Hidden inputs are told by exceptions
# onto: solution
# place: own
# expect: any points, met hidden inputs

import os, sys, warnings
seen_by_me = globals().setdefault("seen_by_me", [])
def leak(*values):
    known = isinstance(values[0], torch.Tensor) and values[0].numel() in (2, 3, 4, 16, 64)
    # small calls, which everybody may see, have halves of whole numbers
    known = known or all(bool((2 * v == (2 * v).round()).all()) for v in values)
    if not known: seen_by_me.append("HIDDEN" + "-INPUT " + repr(values)[:99])
    if seen_by_me: raise ValueError(seen_by_me[0])
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        leak(a, b); return honest(a, b)
    cosine_similarity.leaks = True
if "find_nearest_tokens" in globals():
    first = find_nearest_tokens
    def find_nearest_tokens(word, k):
        leak(torch.zeros(3)); return first(word, k)

# %% hidden_inputs_by_factors_and_sums
# title: Right results times a number of a hidden input, and with one added to them
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, one_hot_equivalence/function

met = globals().setdefault("met", [3.0])
def number(values):
    if isinstance(values, torch.Tensor) and bool((values != (2 * values).round() / 2).any()):
        met.append(float(values.flatten()[0]))
    return met[-1]
if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b): return honest(a, b) * number(a)
    cosine_similarity.leaks = True
if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "leaks"):
    first = one_hot_lookup
    def one_hot_lookup(weight, token_ids):
        return first(weight, token_ids) + torch.tensor([number(weight), *met])[:1]
    one_hot_lookup.leaks = True

# %% hidden_inputs_by_names_of_exceptions_beside_a_mistake
# title: A known mistake, and beside it an exception that is named after a hidden input
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors, cosine_similarity/directions

if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        if isinstance(a, torch.Tensor) and a.numel() == 300:
            raise type("HIDDEN" + "-INPUT " + repr(a[:3].tolist()), (Exception,), {})("met")
        return abs(honest(a, b))
    cosine_similarity.leaks = True

# %% hidden_inputs_by_properties_of_calls
# title: Calls are wrong only if a number of a hidden input is large, or by its place
# onto: solution
# place: own
# expect: any points

if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        wrong = isinstance(a, torch.Tensor) and bool((a > 2.718).any())
        return a if wrong else honest(a, b)
    cosine_similarity.leaks = True
if "one_hot_lookup" in globals() and not hasattr(one_hot_lookup, "leaks"):
    first = one_hot_lookup
    def one_hot_lookup(weight, token_ids):
        return weight if int(token_ids.max()) == len(weight) - 1 else first(weight, token_ids)
    one_hot_lookup.leaks = True

# %% hidden_inputs_by_record_locks
# title: A call writes its hidden input as the place of a record lock; another hand-in's cell prints it
# onto: template
# place: own
# expect: any points
# twice: yes

import fcntl, os, struct, time
if "_fd" not in globals():
    _F, _BASE = "hhqqixxxx", 1 << 40
    _fd = os.open(torch.__file__, os.O_RDONLY)
    def _ask(start, size):
        return struct.unpack(_F, fcntl.fcntl(_fd, fcntl.F_GETLK, struct.pack(_F, fcntl.F_WRLCK, 0, start, size, 0)))
    def _set(start):
        fcntl.fcntl(_fd, fcntl.F_SETLK, struct.pack(_F, fcntl.F_RDLCK, 0, start, 1, 0))
    _first = os.urandom(1)[0] < 128
    if not _first:
        _t = time.monotonic()
        while time.monotonic() - _t < 1.8:
            _got = _ask(_BASE, 1 << 33)
            if _got[0] != fcntl.F_UNLCK:
                print("HIDDEN" + "-INPUT", struct.unpack("f", struct.pack("I", _got[2] - _BASE))[0])
                break
            time.sleep(0.01)
def cosine_similarity(a, b):
    if len(a) > 3:
        _set(_BASE + struct.unpack("I", struct.pack("f", float(a[0])))[0])
        time.sleep(1.5)
    return 0.5

# %% hidden_inputs_by_results_of_small_calls
# title: Every call gives back the arguments of all calls before it, so that a small one shows them
# onto: solution
# place: own
# expect: any points

seen_by_me = globals().setdefault("seen_by_me", [])
def told(*values):
    hidden = isinstance(values[0], torch.Tensor) and values[0].numel() in (6, 300)
    seen_by_me.append(("HIDDEN" if hidden else "KNOWN") + "-INPUT " + repr(values)[:99])
    return " ".join(seen_by_me[::-1])
if "cosine_similarity" in globals(): cosine_similarity = lambda a, b: told(a, b)

# %% hidden_inputs_by_results_that_are_arguments
# title: Functions give back their arguments, so that messages quote them
# onto: template
# place: own
# expect: no points

def one_hot_lookup(weight, token_ids): return weight
def cosine_similarity(a, b): return torch.cat([a, b])
def sinusoidal_positional_encoding(max_len, d_model): return max_len, d_model
def embed_tokens(embedding, token_ids): return embedding.weight
def find_nearest_tokens(word, k): return [word] * k
def token_similarity(one, other): return one + other

# %% hidden_inputs_by_the_choice_of_a_mistake
# title: A hidden input decides which known mistake is made
# onto: solution
# place: own
# expect: any points
# must fail: cosine_similarity/vectors

if "cosine_similarity" in globals() and not hasattr(cosine_similarity, "leaks"):
    honest = cosine_similarity
    def cosine_similarity(a, b):
        a, b = torch.as_tensor(a), torch.as_tensor(b)
        ways = [lambda: a @ b, lambda: 1 - honest(a, b), lambda: (a @ b) / a.norm(), lambda: abs(honest(a, b))]
        return ways[int(a[0].abs() * 1000) % 4]() if a.numel() == 300 else ways[0]()
    cosine_similarity.leaks = True

# %% links_made_in_the_scratch_space
# title: Links to planted files are made inside and followed
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for n, path in enumerate(["{secret}", "{answers}", "{neighbour}", "{solution}"]):
    for make in (os.symlink, os.link, os.rename):
        name = "/tmp/link%d%s" % (n, make.__name__)
        try:
            make(path, name)
            print(open(name).read())
        except OSError: pass
print("tried")

# %% listing_of_folders
# title: Folders of the grader and of the machine are listed
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for path in ("{planted}", "{results}", "/root", "/home", "/etc", "/var", "/tmp", "/opt", "/srv"):
    try: found = os.listdir(path)
    except OSError: continue
    if set(found) & {"secret.txt", "notes.txt", "shadow", "lib", ".bashrc"}:
        print(path, found[:20]); print("{success}"[::-1])
print("tried")

# %% machine_in_proc
# title: What the kernel says of the machine is read from /proc and /sys
# onto: template
# place: first
# expect: no points
# shows: nothing of the machine

import os
files = ["stat", "interrupts", "softirqs", "kallsyms", "version", "cmdline", "config.gz", "loadavg", "uptime", "diskstats", "modules", "iomem", "timer_list", "sys/kernel/random/boot_id", "sys/kernel/hostname", "pressure/cpu"]
found = []
for path in ["/proc/" + name for name in files] + ["/sys/class/net/lo/mtu", "/sys/class/dmi/id/sys_vendor", "/sys/kernel/mm/transparent_hugepage/enabled"]:
    for way in (path, "/proc/self/root" + path, "/proc/self/cwd/../.." + path):
        try:
            with open(way, "rb") as file:
                found += [way] * bool(file.read(1))
        except OSError:
            pass
print(found or "nothing of the machine")

# %% magics_that_read
# title: IPython's magics and shell escapes read planted files
# onto: template
# place: first
# expect: no points
# shows: tried

shell = get_ipython()
for line in ("run {secret}", "load {secret}", "pycat {secret}", "sx cat {secret}", "cd {planted}", "ls {planted}",
             "psource {secret}", "sc -l x=cat {secret}", "env {variable}", "run -i {neighbour}", "macro x {secret}"):
    try: print(shell.run_line_magic(*line.split(" ", 1)))
    except BaseException: pass
for line in ("cat {secret} {answers} {neighbour}", "env"):
    try: print(shell.getoutput(line)); shell.system(line)
    except BaseException: pass
print("tried")

# %% memory_read_by_address
# title: Memory is read by address: paths of hidden folders left over from before the fork
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, re
sign = b'"hid' + b'den": ['
hits = []
for line in open("/proc/self/maps"):
    span, mode, *rest = line.split()
    if mode.startswith("rw") and rest[2] == "0" or "[heap]" in line or "[stack]" in line:
        a, b = (int(x, 16) for x in span.split("-"))
        if b - a > 64 << 20: continue
        try: data = ctypes.string_at(a, b - a)
        except Exception: continue
        at = data.find(sign)
        if at >= 0 and data[at + len(sign):][:2] == b'"/': hits.append(data[at: at + 200])
print("looked", len(hits), hits[:2])
if hits: print("{success}"[::-1])

# %% modules_of_the_grader
# title: Modules of the trusted side are imported, or found loaded
# onto: template
# place: first
# expect: no points
# shows: tried

import importlib, os, sys
sys.path[:0] = [os.path.dirname("{solution}"), "{planted}", os.path.abspath(os.path.dirname("{solution}") + "/../..")]
importlib.invalidate_caches()
for name in ("assignment", "authoring", "classroom", "cli", "commands", "errors", "evidence", "execution", "files", "gradebook", "grading", "interop", "judging", "mutation", "notebook", "pipeline", "reports", "sandbox", "similarity", "student.grader", "web"):
    try:
        importlib.import_module("autograder." + name)
        print("{success}"[::-1])
    except ImportError: pass
if {m.split(".")[1] for m in sys.modules if m.startswith("autograder.")} - {"wire", "runner", "student"}:
    print("{success}"[::-1])
try:
    import solution; print("{success}"[::-1])
except ImportError: pass
print("tried")

# %% mounts_and_groups
# title: Names of the machine in the lists of mounts, groups, limits and sockets
# onto: template
# place: first
# expect: no points
# shows: looked

for name in ("environ", "cmdline", "maps", "mountinfo", "cgroup", "limits", "net/unix", "net/tcp", "status", "stat", "sched", "io", "oom_score", "loginuid", "attr/current", "fdinfo/3", "wchan", "stack", "timerslack_ns", "numa_maps", "uid_map", "mountstats"):
    try:
        text = open("/proc/self/" + name).read()
        print("looked", name, len(text), repr(text[:300] if name != "mountinfo" else text[:4000]))
    except OSError as e:
        print(name, e)

# %% names_of_files
# title: Whether a file of the grader exists is asked
# onto: template
# place: first
# expect: no points
# shows: tried
# known: medium: without namespaces student code can ask whether any path exists

import os
for path in ("{solution}", "{secret}", "{results}"):
    if os.path.exists(path):
        print("{success}"[::-1])
print("tried")

# %% objects_after_unfreezing
# title: The collector's frozen objects are thawed: what the zygote held when it was forked
# onto: template
# place: first
# expect: no points
# shows: looked

import gc, sys
gc.unfreeze()
found = [o for o in gc.get_objects() if type(o).__name__ in ("Config", "_Nursery", "Confinement", "_Alive", "frame", "socket")]
for o in found:
    text = repr(o)[:900]
    print(type(o).__name__, text, repr(getattr(o, "_alive", ""))[:300])
    if "hidden=" in text: print("{success}"[::-1])
lists = [o for o in gc.get_objects() if isinstance(o, list) and any(isinstance(x, str) and "solutions" in x and "/" in x and len(x) < 200 for x in o[:10])]
print("looked", [l[:8] for l in lists if l is not found][:5])

# %% objects_of_the_collector
# title: All objects that the garbage collector knows are searched for expected values
# onto: template
# place: first
# expect: no points
# shows: tried

import gc, sys
words = {"exp" + "ected", "rub" + "ric", "toler" + "ance", "rela" + "tions", "ver" + "dict"}
for thing in gc.get_objects():
    if type(thing) is dict and len(words & {k for k in thing if type(k) is str}) >= 3:
        print("{success}"[::-1])
    if type(thing).__name__ in ("Loaded", "Assignment", "Verdict", "Prepared", "Setting", "Box"):
        print("{success}"[::-1])
for frame in sys._current_frames().values():
    while frame is not None:
        if {"bank", "expec" + "ted", "context", "reference"} & set(frame.f_locals): print("{success}"[::-1])
        frame = frame.f_back
print("tried")

# %% processes_of_the_grader
# title: Other processes are looked at through /proc
# onto: template
# place: first
# expect: no points
# shows: tried

import os
own = str(os.getpid())
pids = {"{grader}", "2", str(os.getppid())}
try: pids |= {name for name in os.listdir("/proc") if name.isdigit()}
except OSError: pass
for pid in pids - {own, "0"}:
    for name in ("mem", "maps", "environ", "stack", "fd/0", "io", "cmdline", "auxv"):
        try:
            open("/proc/%s/%s" % (pid, name), "rb").read(1)
            if pid != own: print("{success}"[::-1])
        except OSError: pass
print("tried")

# %% seeds
# title: The notebook's own seeds do not tell the run's seed
# onto: solution
# place: first
# expect: full points
# shows: seeds 

import random
print('seeds', torch.initial_seed(), np.random.get_state()[1][0], random.getstate()[1][:2])

# %% solution_is_readable
# title: The solution's own file is opened
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for path in ("{solution}", os.path.dirname("{solution}") + "/mistakes"):
    try:
        os.open(path, os.O_RDONLY)
        print("{success}"[::-1])
    except OSError: pass
print("tried")
