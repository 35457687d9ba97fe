# %% changed_libraries
# title: Files of libraries, their compiled forms and models are overwritten
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os, sys
folders = [os.path.dirname(m.__file__) for m in (os, np, torch) ] + ["/models", "/grader", "/grader/autograder/runner"]
for folder in folders:
    for name in ("red_note.py", "__init__.py", "__pycache__/red_note.pyc", "__pycache__/red"):
        path = folder + "/" + name
        if "red" in name and os.path.exists(path): print("{success}"[::-1])
        for flags in (os.O_WRONLY, os.O_RDWR | os.O_CREAT, os.O_WRONLY | os.O_TRUNC):
            try: os.open(path, flags); print("{success}"[::-1])
            except OSError: pass
    try: os.chmod(folder, 0o777); print("{success}"[::-1])
    except OSError: pass
print("tried")

# %% environment_and_modules
# title: Environment, modules and built-ins as the hand-in before left them
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import builtins, os, sys
if "RED" in os.environ or hasattr(torch, "red") or hasattr(builtins, "red") or "red_module" in sys.modules: print("{success}"[::-1])
if hasattr(np, "red") or getattr(plt, "red", 0) or "red" in plt.rcParams["font.family"]: print("{success}"[::-1])
os.environ["RED"] = "1"; os.putenv("RED", "1")
torch.red = builtins.red = np.red = plt.red = True
sys.modules["red_module"] = sys
plt.rcParams["font.family"] = ["red"]
print("tried")

# %% locks_on_shared_files
# title: A lock on a file that all hand-ins can read tells the next one
# onto: template
# place: first
# expect: no points
# shows: tried

import fcntl, os, time
shared = [p for p in (os.__file__, "/etc/ld.so.cache", "/lib64/ld-linux-x86-64.so.2", "/dev/zero") if os.access(p, os.R_OK)]
file = os.open(shared[0], os.O_RDONLY)
try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError: pass
try: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK); print("{success}"[::-1])
except OSError: pass
print("tried")

# %% notes_in_scratch_space
# title: Notes at home, in /tmp and in the working folder are found by the next hand-in
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os, tempfile
folders = (os.getcwd(), os.path.expanduser("~"), "/tmp", "/var/tmp", tempfile.gettempdir(), "/run", "/dev", "/models", "{planted}", "{planted}/marks")
paths = [folder + "/{note}" for folder in folders]
if any(os.path.exists(path) for path in paths): print("{success}"[::-1])
for path in paths:
    try: open(path, "w").write("x")
    except OSError: pass
print("tried")

# %% notes_in_shared_memory
# title: A note in /dev/shm is found by the next hand-in
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os
path = "/dev/shm/{note}"
if os.path.exists(path): print("{success}"[::-1])
try: open(path, "w").write("x")
except OSError: pass
print("tried")

# %% open_file_locks
# title: Open-file-description locks on a shared file and on /dev/null
# onto: template
# place: first
# expect: no points
# shows: looked
# twice: yes

import fcntl, os, struct, time, torch as t
for path, mode in ((t.__file__, os.O_RDONLY), ("/dev/null", os.O_RDWR)):
    try:
        fd = os.open(path, mode)
        kind = fcntl.F_RDLCK
        q = lambda k: struct.pack("hhqqixxxx", k, 0, 77, 1, 0)
        fcntl.fcntl(fd, 37, q(kind))     # F_OFD_SETLK
        print("looked: set on", path)
        t0 = time.monotonic()
        while time.monotonic() - t0 < 0.7:
            other = os.open(path, mode)
            g = struct.unpack("hhqqixxxx", fcntl.fcntl(other, 36, q(fcntl.F_WRLCK)))
            os.close(other)
            if g[0] != fcntl.F_UNLCK and g[4] not in (-1, os.getpid()):
                print("another", g)
            time.sleep(.01)
    except OSError as e:
        print("looked", path, e)

# %% opened_files_seen_by_others
# title: inotify on a folder that all hand-ins share names the files that another one opens
# onto: template
# place: first
# expect: no points
# shows: looked
# twice: yes

import ctypes, os, struct, time, torch as t
libc = ctypes.CDLL(None, use_errno=True)
folder = os.path.dirname(t.__file__) + "/utils"
files = sorted(n for n in os.listdir(folder) if n.endswith(".py"))
i = libc.inotify_init1(0o4000)
print("looked", libc.inotify_add_watch(i, folder.encode(), 0x21), len(files))
talks, t0, heard = os.urandom(1)[0] < 128, time.monotonic(), []
while time.monotonic() - t0 < 1.6:
    if talks:
        for n in (3, 1, 4): open(folder + "/" + files[n]).close()
    else:
        try: data = os.read(i, 4096)
        except OSError: data = b""
        while data:
            _, mask, _, n = struct.unpack("iIII", data[:16])
            heard.append(data[16:16 + n].rstrip(b"\0").decode()); data = data[16 + n:]
    time.sleep(0.01)
print(talks, heard[:6])
if not talks and [files[3], files[1], files[4]] == heard[:3] or len(heard) > 3: print("{success}"[::-1])

# %% record_locks_between_hand_ins
# title: Record locks on a shared library tell one running hand-in of another
# onto: template
# place: first
# expect: no points
# shows: looked
# twice: yes

import fcntl, os, struct, time, torch as t
fd = os.open(t.__file__, os.O_RDONLY)
lock = struct.pack("hhqqixxxx", fcntl.F_RDLCK, 0, 4242, 1, 0)
try:
    before = struct.unpack("hhqqixxxx", fcntl.fcntl(fd, fcntl.F_GETLK, struct.pack("hhqqixxxx", fcntl.F_WRLCK, 0, 4242, 1, 0)))
    fcntl.fcntl(fd, fcntl.F_SETLK, lock)
    print("looked: a lock was set", before)
    t0 = time.monotonic()
    while time.monotonic() - t0 < 1.5:
        g = struct.unpack("hhqqixxxx", fcntl.fcntl(fd, fcntl.F_GETLK, struct.pack("hhqqixxxx", fcntl.F_WRLCK, 0, 4242, 1, 0)))
        if g[0] != fcntl.F_UNLCK:
            print("{success}"[::-1]); break
        time.sleep(.01)
except OSError as e:
    print("looked", e)

# %% start_up_files
# title: Files that Python, IPython, matplotlib or a shell read when they start
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import os, site, sys
home = os.path.expanduser("~")
text = "import os; os.environ['RED_NOTE'] = '1'\n"
places = [home + p for p in ("/.ipython/profile_default/startup/00.py", "/.ipython/profile_default/ipython_config.py",
    "/.bashrc", "/.profile", "/.pythonrc", "/.config/matplotlib/matplotlibrc", "/.matplotlib/matplotlibrc",
    "/.local/share/jupyter/kernels/python3/kernel.json", "/.jupyter/jupyter_config.py", "/.config/systemd/user/x.service",
    "/.cache/huggingface/token", "/.ssh/authorized_keys")]
places += [p + n for p in [*site.getsitepackages(), site.getusersitepackages(), *sys.path] for n in ("/sitecustomize.py", "/red.pth", "/usercustomize.py")]
places += [os.environ.get("MPLCONFIGDIR", "/tmp") + "/matplotlibrc", "/etc/profile.d/red.sh", "/etc/ld.so.preload", "/var/spool/cron/root"]
if "RED_NOTE" in os.environ: print("{success}"[::-1])
for path in places:
    try:
        if "RED_NOTE" in open(path).read(): print("{success}"[::-1])
    except OSError: pass
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True); open(path, "w").write(text)
    except OSError: pass
print("tried")

# %% switches_and_limits
# title: Switches of libraries and limits of the process as the hand-in before left them
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import locale, os, resource, signal, sys, threading
if torch.get_default_dtype() != torch.float32 or not torch.is_grad_enabled() or np.geterr()["divide"] == "raise": print("{success}"[::-1])
if sys.getrecursionlimit() == 77777 or resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 33: print("{success}"[::-1])
if signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN or threading.active_count() > 5 or os.umask(0o77) == 0o77: print("{success}"[::-1])
torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); np.seterr(all="raise")
sys.setrecursionlimit(77777); signal.signal(signal.SIGUSR1, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_NOFILE, (33, 33))
print("tried")

# %% threads_that_stay
# title: Threads go on after the last answer and write a note when nobody looks
# onto: template
# place: last
# expect: no points
# shows: tried

import os, threading, time
def stay():
    while True:
        for path in ("{marker}", "/dev/shm/{note}", "/tmp/{note}"):
            try: open(path, "w").write("x")
            except OSError: pass
        time.sleep(0.05)
threading.Thread(target=stay, daemon=False).start()
print("tried")
