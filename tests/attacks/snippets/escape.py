# %% attributes_of_files
# title: Extended attributes of files that anybody may write are set
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for path in ("{secret}", "{results}/notes.txt", "{neighbour}"):
    try: os.setxattr(path, "user.red", b"1"); print("{success}"[::-1])
    except OSError: pass
print("tried")

# %% calls_of_another_kernel_interface
# title: System calls of the 32-bit interface from written machine code
# onto: template
# place: first
# expect: no points, stopped: died

import ctypes, mmap
code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
ctypes.CFUNCTYPE(ctypes.c_int)(address)()
print("{success}"[::-1])

# %% channel_to_another_descriptor
# title: Descriptors are asked for and sent over the channel
# onto: template
# place: first
# expect: no points

import array, os, socket
channel = socket.socket(fileno=3)
try: channel.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
except OSError: pass
try: print(channel.recvmsg(1, 1000, socket.MSG_DONTWAIT))
except OSError: pass
try: channel.shutdown(socket.SHUT_RDWR)
except OSError: pass
channel.detach()

# %% crash_by_a_wild_pointer
# title: The process crashes by a wild pointer
# onto: template
# place: first
# expect: no points, stopped: died (the process crashed with signal SIGSEGV)

import ctypes, faulthandler
faulthandler.disable()
ctypes.string_at(8)

# %% datagrams_of_a_pair
# title: A datagram socket of a pair sends to a name: no call of connect is needed
# onto: template
# place: first
# expect: no points
# shows: looked

import socket
try:
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for address in ("{socket}", "\0{abstract}", "/dev/log", "/run/systemd/journal/socket", "/run/systemd/notify", "/nowhere/at/all"):
        try:
            print(repr(address)[-30:], a.sendto(b"from {name}", address))
            print("{success}"[::-1])
        except OSError as e:
            print(repr(address)[-30:], e)
except OSError as e:
    print("no pair", e)
print("looked")

# %% datagrams_to_names
# title: A datagram from one end of a pair to a listener by its name
# onto: template
# place: first
# expect: no points
# shows: looked

import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
for address in ("{datagrams}", "\0{abstract}"):
    try:
        print("sent", repr(address), a.sendto(b"hello from {name}", address)); print("{success}"[::-1])
    except OSError as e: print(repr(address), e)
print("looked")

# %% end_of_oneself
# title: The process kills, aborts and stops itself
# onto: template
# place: first
# expect: no points

import os, signal
os.kill(os.getpid(), signal.SIGKILL)  # the first process of a namespace lives on
os.kill(os.getpid(), signal.SIGTERM)
os.abort()

# %% files_of_the_process
# title: Writable entries of one's own folder in /proc, and ways out of it by magic links
# onto: template
# place: first
# expect: no points
# shows: looked

import os
for name, text in (("oom_score_adj", "1000"), ("oom_score_adj", "-1000"), ("clear_refs", "1"), ("coredump_filter", "0xff"), ("comm", "x"), ("timerslack_ns", "1"), ("autogroup", "19"), ("sched", "0"), ("setgroups", "allow"), ("uid_map", "0 0 1"), ("attr/current", "x"), ("make-it-fail", "1"), ("loginuid", "0")):
    try:
        with open("/proc/self/" + name, "w") as f: f.write(text)
        print("wrote", name)
    except OSError as e: print(name, e)
for path in ("/proc/self/root{planted}/secret.txt", "/proc/self/cwd/../../../../../../..{planted}/secret.txt", "/proc/self/task/self/root{planted}/secret.txt", "/proc/thread-self/root{planted}/secret.txt", "/proc/1/root{planted}/secret.txt", "/proc/self/map_files"):
    try: print(open(path).read())
    except OSError as e: print(path[:24], e)
print("looked")

# %% kernel_interfaces
# title: Interfaces that reach other processes or the kernel
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
block = ctypes.create_string_buffer(256)
pid = int("{grader}")
calls = {  # x86_64 alone; elsewhere these numbers mean other things
    "ptrace": (101, 16, pid, 0, 0), "ptrace me": (101, 0, 0, 0, 0), "readv": (310, pid, block, 1, block, 1, 0),
    "writev": (311, pid, block, 1, block, 1, 0), "getfd": (438, 3, 0, 0), "kcmp": (312, pid, os.getpid(), 0, 0, 0),
    "memfd": (319, b"x", 0), "secret": (447, 0), "userfault": (323, 0), "uring": (425, 8, block),
    "perf": (298, block, 0, -1, -1, 0), "bpf": (321, 0, block, 72), "handle": (303, -100, b"/tmp", block, block, 0),
    "fanotify": (300, 0, 0), "swap": (167, b"/tmp/x", 0), "module": (313, 0, b"", 0), "syslog": (103, 3, block, 100),
    "personality": (135, 0x0040000), "iopl": (172, 3), "acct": (163, b"/tmp/x"), "quota": (179, 0, 0, 0, 0),
} if platform.machine() == "x86_64" else {}
for extra in (0, 0x40000000):
    for name, (number, *arguments) in calls.items():
        if libc.syscall(number + extra, *arguments) >= 0: print(name); print("{success}"[::-1])
print("tried")

# %% keys_and_shared_memory
# title: Keys and shared memory of the kernel
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(7, 4096, 0o1666) >= 0 or libc.semget(7, 1, 0o1666) >= 0 or libc.msgget(7, 0o1666) >= 0: print("{success}"[::-1])
if libc.syscall(240 if platform.machine() == "x86_64" else 180, b"x", 0o102, 0o666, None) >= 0: print("{success}"[::-1])
numbers = (248, 249, 250) if platform.machine() == "x86_64" else (217, 218, 219)
if libc.syscall(numbers[0], b"user", b"x", b"y", 1, -3) >= 0: print("{success}"[::-1])
if libc.syscall(numbers[2], 0, -3, 1) >= 0 or libc.syscall(numbers[2], 1, b"x") >= 0: print("{success}"[::-1])
print("tried")

# %% links_pipes_and_folders
# title: Links, pipes, sockets and folders that are called like notebooks
# onto: file
# expect: rejected
# rejected: odd-link | link
# rejected: odd-secret | link
# rejected: odd-dangling | link
# rejected: odd-loop | link
# rejected: odd-pipe | not a regular file
# rejected: odd-pipe2 | not a regular file
# rejected: odd-pipe3 | not a regular file
# rejected: odd-socket | not a regular file
# rejected: odd-folder | this is a folder
# rejected: odd-full | not a regular file

import os, socket
(folder / "odd-link.ipynb").symlink_to("/etc/passwd")
(folder / "odd-secret.py").symlink_to("/proc/self/environ")
(folder / "odd-loop").symlink_to(folder)
(folder / "odd-dangling.zip").symlink_to("/nowhere")
for name in ("odd-pipe.ipynb", "odd-pipe2.py", "odd-pipe3.zip"): os.mkfifo(folder / name)
os.chdir(folder); socket.socket(socket.AF_UNIX).bind("odd-socket.ipynb")
(folder / "odd-folder.ipynb").mkdir()
try: os.mknod(folder / "odd-full.py", 0o020666, os.makedev(1, 7))
except OSError: os.mkfifo(folder / "odd-full.py")

# %% marks_outside
# title: Files are made, changed and removed outside by every way to write
# onto: template
# place: first
# expect: no points
# shows: tried

import os
def through(kind):
    kind(os.path.dirname("{marker}"), "/tmp/way-" + kind.__name__)
    open("/tmp/way-" + kind.__name__ + "/" + os.path.basename("{marker}"), "w")
for change in (lambda p: os.truncate(p, 0), os.unlink, lambda p: open(p, "a"), lambda p: os.rename(p, p + "x")):
    for path in ("{secret}", "{results}/notes.txt", "{neighbour}"):
        try: change(path); print("{success}"[::-1])
        except OSError: pass
ways = [lambda: open("{marker}", "w"), lambda: os.mkdir("{marker}"), lambda: os.mkfifo("{marker}"),
        lambda: os.symlink("/tmp", "{marker}"), lambda: os.link("/dev/null", "{marker}"),
        lambda: (open("/tmp/mine", "w"), os.rename("/tmp/mine", "{marker}")), lambda: os.mknod("{marker}"),
        lambda: (open("/tmp/mine", "w"), os.link("/tmp/mine", "{marker}")), lambda: through(os.symlink),
        lambda: open("/proc/self/root{marker}", "w"), lambda: open("/proc/1/root{marker}", "w"),
        lambda: torch.save(1, "{marker}"), lambda: np.save("{marker}", 1)]
for way in ways:
    try: way()
    except Exception: pass
print("tried")

# %% modes_and_times_of_files
# title: Modes and times of the grader's files are changed
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for path in ("{secret}", "{results}/notes.txt", "{planted}"):
    for change in (lambda: os.chmod(path, 0o777), lambda: os.utime(path, (1, 1)), lambda: os.chown(path, os.getuid(), -1)):
        try: change(); print("{success}"[::-1])
        except OSError: pass
print("tried")

# %% names_that_leave_the_archive
# title: Archives with outer, absolute and device names, and links
# onto: file
# expect: rejected, no points
# rejected: slip-out | points outside the archive
# rejected: slip-root | points outside the archive
# rejected: slip-dots | points outside the archive
# rejected: slip-win | points outside the archive
# rejected: slip-back | points outside the archive
# rejected: slip-link | is a link
# rejected: slip-device | empty
# read: slip-fine

import zipfile, stat
with zipfile.ZipFile(folder / "slip.zip", "w") as archive:
    for name in ("../../slip-out.py", "/slip-root.py", "slip-fine.py", "a/../../slip-dots.ipynb", "C:\\slip-win.py", "..\\..\\slip-back.py"):
        archive.writestr(name, "x = 1")
    link = zipfile.ZipInfo("slip-link.py"); link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(link, "/etc/passwd")
    device = zipfile.ZipInfo("slip-device.py"); device.create_system = 3
    device.external_attr = (stat.S_IFCHR | 0o666) << 16
    archive.writestr(device, "")

# %% namespaces_and_mounts
# title: New namespaces, mounts and roots
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
kinds = (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000, 0x80)
if any(libc.unshare(kind) == 0 for kind in kinds): print("{success}"[::-1])
for name in ("user", "mnt", "net", "pid"):
    try: fd = os.open("/proc/self/ns/" + name, os.O_RDONLY)
    except OSError: continue
    if libc.setns(fd, 0) == 0: print("{success}"[::-1])
if libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0 or libc.umount2(b"/tmp", 2) == 0: print("{success}"[::-1])
if libc.mount(b"/", b"/tmp", None, 4096, None) == 0 or libc.mount(None, b"/", None, 0x20, None) == 0: print("{success}"[::-1])
if libc.chroot(b"/tmp") == 0 or libc.syscall(155, b"/tmp", b"/tmp") == 0: print("{success}"[::-1])
for number, *arguments in ((428, -100, b"/", 1), (430, b"tmpfs", 0), (442, -100, b"/", 0, 0, 0), (429, -100, b"/", -100, b"/tmp", 0)):
    if libc.syscall(number, *arguments) >= 0: print("{success}"[::-1])
print("tried")

# %% other_users_and_powers
# title: Another user, capabilities, limits raised, the filter taken off
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, resource
libc = ctypes.CDLL(None, use_errno=True)
uid = os.getuid()
for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]),
               lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)), lambda: os.nice(-5),
               lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (10**6, 10**6)),
               lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)), lambda: os.chown("/tmp", 0, 0)):
    try: change(); before = uid
    except (OSError, ValueError): continue
    if os.getuid() != before or uid != 0: print("{success}"[::-1])
for option, value in ((1, 0), (4, 1), (22, 0), (8, 1), (47, 2), (38, 0)):
    if libc.prctl(option, value, 0, 0, 0) == 0 and option != 8: print("{success}"[::-1])
header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)(*[0xffffffff] * 6)
if libc.capset(header, data) == 0: print("{success}"[::-1])
print("tried")

# %% owner_of_the_channel
# title: The channel is told to signal the grader when something arrives
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, fcntl, signal, struct
for command, value in ((8, int("{grader}")), (10, int(signal.SIGURG))):
    try: fcntl.fcntl(3, command, value); print("{success}"[::-1])
    except OSError: pass
for code in (0x8901, 0x8902):
    try: fcntl.ioctl(3, code, struct.pack("i", int("{grader}"))); print("{success}"[::-1])
    except OSError: pass
print("tried")

# %% pidfd_of_the_peer
# title: A pidfd of the grader by an option of the channel
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, os, select, struct, fcntl
libc = ctypes.CDLL(None, use_errno=True)
buf = ctypes.create_string_buffer(8)
if libc.getsockopt(3, 1, 77, buf, ctypes.byref(ctypes.c_int(4))) == 0:
    fd = struct.unpack("i", buf.raw[:4])[0]
    print("a pidfd", fd, open("/proc/self/fdinfo/%d" % fd).read())
    for nr in range(1, 11):
        try: print("namespace", nr, fcntl.ioctl(fd, 0xFF00 | nr, 0))
        except OSError as e: print(nr, e)
    b = bytearray(128); struct.pack_into("Q", b, 0, 7)
    try: fcntl.ioctl(fd, 0xC0000000 | (64 << 16) | 0xFF0B, b); print("info", struct.unpack("QQIIIIIII", b[:44]))
    except OSError as e: print(e)
    for nr, args in ((424, (fd, 0, 0, 0)), (438, (fd, 0, 0)), (247, (3, fd, None, 4)), (308, (fd, 0)), (448, (fd, 0)), (141, (0, 0, 0))):
        print(nr, libc.syscall(nr, *args), ctypes.get_errno())
print("looked")

# %% priority_of_the_grader
# title: Processors, priority and limits of the grader are changed
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, resource
libc, pid = ctypes.CDLL(None, use_errno=True), int("{grader}")
if pid == os.getpid(): pid = 2  # in a container the grader may be number 1, as we are
for change in (lambda: os.sched_setaffinity(pid, {0}), lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
               lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)),
               lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))):
    try: change(); print("{success}"[::-1])
    except (OSError, AttributeError): pass
for which, who in ((os.PRIO_PGRP, os.getpgrp()), (os.PRIO_USER, 0), (os.PRIO_USER, os.getuid())):
    try: os.setpriority(which, who, 1)
    except OSError: pass
if libc.syscall(251, 1, pid, (3 << 13)) == 0: print("{success}"[::-1])  # ioprio_set of the grader, x86_64
libc.syscall(251, 3, 0, (3 << 13))
print("tried")

# %% signals_to_the_grader
# title: Signals to the grader, its group and everybody, by every call
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, signal
libc, number = ctypes.CDLL(None, use_errno=True), int(signal.SIGURG)
own = os.getpid()
others = [p for p in (int("{grader}"), os.getppid(), -os.getppid()) if p not in (0, own, -own)]
for pid in [*others, -1]:
    for send in (number, 0):
        try:
            os.kill(pid, send)
            if pid != -1: print("{success}"[::-1])
        except OSError: pass
for pid in others:
    if libc.syscall(200, pid, number) == 0 or libc.syscall(234, pid, pid, number) == 0: print("{success}"[::-1])
    if libc.syscall(129, pid, number, ctypes.create_string_buffer(128)) == 0: print("{success}"[::-1])
    if libc.syscall(434, pid, 0) >= 0: print("{success}"[::-1])
print("tried")

# %% socket_of_the_channel
# title: Options, peers and credentials of the channel, and messages beside it
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
def call(n, *a):
    r = libc.syscall(n, *a); return r if r >= 0 else -ctypes.get_errno()
buf = ctypes.create_string_buffer(64); size = ctypes.c_int(64)
print("peercred", call(55, 3, 1, 17, buf, ctypes.byref(size)), struct.unpack("iii", buf.raw[:12]))
size = ctypes.c_int(4)
print("peerpidfd", call(55, 3, 1, 77, buf, ctypes.byref(size)), struct.unpack("i", buf.raw[:4]))
print("peergroups", call(55, 3, 1, 59, buf, ctypes.byref(ctypes.c_int(64))))
print("passcred", call(54, 3, 1, 16, ctypes.byref(ctypes.c_int(1)), 4))
print("sndbuf", call(54, 3, 1, 7, ctypes.byref(ctypes.c_int(1 << 30)), 4))
print("oob", call(44, 3, b"x", 1, 1, None, 0))
print("peername", call(52, 3, buf, ctypes.byref(ctypes.c_int(64))), buf.raw[:8])
print("fds", os.listdir("/proc/self/fd"))
print("looked")

# %% sockets_to_listeners
# title: Sockets of every family reach for listeners of the machine
# onto: template
# place: first
# expect: no points
# shows: tried

import socket
targets = [
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int("{tcp}"))),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int("{udp}"))),
    (socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", int("{tcp}"))),
    (socket.AF_INET6, socket.SOCK_DGRAM, ("::ffff:127.0.0.1", int("{udp}"))),
    (socket.AF_UNIX, socket.SOCK_STREAM, "\0{abstract}"), (socket.AF_UNIX, socket.SOCK_STREAM, "{socket}"),
]
for family, kind, address in targets:
    try:
        one = socket.socket(family, kind); one.settimeout(0.2)
        one.connect(address); one.send(b"{name}"); print("{success}"[::-1])
    except OSError: pass
for family in (16, 17, 40, 38, 31, 15, 44):  # netlink, packet, vsock, crypto, bluetooth, key, XDP
    for kind in (1, 2, 3):
        try: socket.socket(family, kind); print("{success}"[::-1])
        except OSError: pass
print("tried")

# %% sockets_without_a_call_of_that_name
# title: Connections by a socket pair and by libraries
# onto: template
# place: first
# expect: no points

import ctypes, socket, struct, urllib.request
libc = ctypes.CDLL(None, use_errno=True)
address = struct.pack("!HH4s8x", 0, int("{tcp}"), bytes([127, 0, 0, 1]))
address = struct.pack("=H", 2) + address[2:]
for fd in (0, 1, 2, 3):
    if libc.connect(fd, address, 16) == 0: print("{success}"[::-1])
    if libc.sendto(fd, b"{name}", 20, 0, address, 16) > 0 and fd != 3: print("{success}"[::-1])
a, b = socket.socketpair()
name = b"\1\0\0{abstract}"
if libc.connect(a.fileno(), name, len(name)) == 0: print("{success}"[::-1])
if libc.bind(b.fileno(), name + b"x", len(name) + 1) == 0: print("{success}"[::-1])
try: urllib.request.urlopen("http://127.0.0.1:{tcp}/{name}", timeout=0.3); print("{success}"[::-1])
except Exception: pass
print("tried")

# %% switches_of_the_kernel
# title: Switches under /proc and /sys, and devices, are opened for writing
# onto: template
# place: first
# expect: no points
# shows: tried

import os, stat
paths = ["/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sys/kernel/hostname",
         "/proc/{grader}/oom_score_adj", "/proc/{grader}/mem", "/proc/1/mem" if os.getpid() != 1 else "/proc/2/mem",
         "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs",
         "/sys/power/state", "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/kvm", "/dev/net/tun",
         "/dev/shm/../sda", "/proc/kcore"]
for path in paths:
    try: os.open(path, os.O_WRONLY); print(path); print("{success}"[::-1])
    except OSError: pass
for kind, number in ((stat.S_IFBLK, 8), (stat.S_IFCHR, 1)):
    try: os.mknod("/tmp/device", kind | 0o666, os.makedev(number, 1)); print("{success}"[::-1])
    except OSError: pass
print("tried")

# %% system_calls_that_make_processes
# title: fork, vfork, clone and exec as bare system calls, x32 numbers too
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os, platform
libc, own = ctypes.CDLL(None, use_errno=True), os.getpid()
numbers = {"x86_64": (57, 56, 59, 322), "aarch64": (220, 220, 221, 281)}[platform.machine()]
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    if os.getpid() != own: os._exit(0)
    return result
for extra in (0, 0x40000000):
    for number in numbers[:2]:
        if call(number + extra, 17, 0, 0, 0, 0) > 0: print("{success}"[::-1])
    for number in numbers[2:]:
        path = b"/bin/true"
        call(number + extra, path, 0, 0)
if call(435, ctypes.create_string_buffer(88), 88) > 0: print("{success}"[::-1])
for make in (os.fork, lambda: os.posix_spawn("/bin/true", ["true"], {}), lambda: os.system("true") or 1):
    try:
        made = make()
        if os.getpid() != own: os._exit(0)
        if made in (0, 32512, 256, -1): continue
    except (OSError, RuntimeError): continue  # a library may refuse it before the kernel does
    if make is not None and made == 1: print("{success}"[::-1])
print("tried")

# %% terminal
# title: The terminal of whoever started the grader is typed into
# onto: template
# place: first
# expect: no points
# shows: tried

import fcntl, os
for path in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/ptmx", "/dev/pts/0"):
    try: os.open(path, os.O_RDWR); print("{success}"[::-1])
    except OSError: pass
for fd in (0, 1, 2, 3):
    for code in (0x5412, 0x541C):
        try: fcntl.ioctl(fd, code, b"x"); print("{success}"[::-1])
        except OSError: pass
print("tried")

# %% watches_of_other_folders
# title: inotify on folders of others, and descriptors by name that are never opened
# onto: template
# place: first
# expect: no points
# shows: looked

import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
i = libc.inotify_init1(0)
for path in ("{results}", "{planted}", "/tmp", "/dev/shm", "/proc/self/fd"):
    r = libc.inotify_add_watch(i, path.encode(), 0xfff)
    print(path[-20:], r, os.strerror(ctypes.get_errno()) if r < 0 else "watched")
try:
    fd = os.open("{planted}", os.O_PATH | os.O_DIRECTORY)
    for name in ("secret.txt", "marks"):
        try:
            print(os.stat(name, dir_fd=fd).st_size)
            g = os.open(name, os.O_PATH, dir_fd=fd)
            print(open("/proc/self/fd/%d" % g).read())
        except OSError as e: print(e)
except OSError as e: print(e)
print("looked")
