"""A system-call filter for student code, assembled by hand.

Covered: new processes and programs, sockets, tracing and signalling others, mounts and
namespaces, kernel modules and keys, shared memory outside the accounted tmpfs, terminal
and owner tricks by ioctl and fcntl, calls that are newer than this list. Not covered:
files (Landlock and the mounts do that), CPU and memory (limits do that), kernel bugs in
the calls that stay open. Numbers: asm/unistd_64.h and asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import ctypes
import os
import struct

from autograder.sandbox.isolation import kernel

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_LD, _AND, _JEQ, _JGE, _RET = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS = 1, 38
_CLONE_THREAD = 0x10000

# name -> (x86_64, aarch64); None where the machine has no such call
DENIED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "mount": (165, 40),
    "umount2": (166, 39),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "open_tree_attr": (467, 467),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "personality": (135, 92),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "accept4": (288, 242),
    "bind": (49, 200),
    "listen": (50, 201),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "vhangup": (153, 58),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "lookup_dcookie": (212, 18),
    "ioprio_set": (251, 30),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "seccomp": (317, 277),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "splice": (275, 76),
    "tee": (276, 77),
    "vmsplice": (278, 75),
    "uselib": (134, None),
    "_sysctl": (156, None),
    "sysfs": (139, None),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
}
_LISTENING, _AF_UNIX = {"socket", "bind", "listen"}, 1
# modes, owners and times: refused where files of others are visible, because Landlock does not
# cover them and the child may be their owner
_MARKS: dict[str, tuple[int, int]] = {
    "chmod": (90, 52),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, 55),
    "fchown": (93, 55),
    "lchown": (94, 55),
    "fchownat": (260, 54),
    "utime": (132, 88),
    "utimes": (235, 88),
    "futimesat": (261, 88),
    "utimensat": (280, 88),
}
# do nothing: within a single process a lock has no effect, but on a file that all
# submissions can see, it passes information from one to another
_VOID = {"flock": (73, 32)}
_LOCKS = (6, 7, 37, 38)  # fcntl: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_FCNTL, _SENDTO = (72, 25), (44, 206)
_CLONE, _CLONE3 = (56, 220), 435
_FIRST_UNKNOWN = 468  # calls added by later kernels are absent until somebody has reviewed them
# only for the process itself: argument 0 (or 1) must be 0 or its own pid
_OWN = {
    "kill": (62, 129, 0),
    "tgkill": (234, 131, 0),
    "prlimit64": (302, 261, 0),
    "sched_setaffinity": (203, 122, 0),
    "setpriority": (141, 140, 1),
}
# argument 1 (argument 0 for prctl) must not be one of these
_BARRED: dict[str, tuple[tuple[int, int], int, tuple[int, ...]]] = {
    # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY
    "fcntl": ((72, 25), 1, (8, 10, 15, 1024, 1026)),
    "ioctl": ((16, 29), 1, (0x5412, 0x541C, 0x8901, 0x8902)),  # TIOCSTI, TIOCLINUX, owners
    "prctl": ((157, 167), 0, (1, 4, 22, 35)),  # PDEATHSIG, DUMPABLE, SECCOMP, MM
    # SO_PEERCRED, SO_PEERSEC, SO_PEERGROUPS, SO_PEERPIDFD: who is at the other end
    "getsockopt": ((55, 209), 2, (17, 31, 59, 77)),
}


def _step(code: int, yes: int, no: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value & 0xFFFFFFFF)


def _argument(index: int) -> bytes:
    return _step(_LD, 0, 0, 16 + 8 * index)  # the low half: all arguments here are ints


def program(
    machine: str, pid: int, *, exposed: bool = False, memfd: bool = False, listening: bool = False
) -> bytes:
    """The filter for a process with this pid (as it sees itself); ``KeyError`` elsewhere.

    ``exposed``: it has no file system of its own, so that files of others are visible. ``memfd``:
    it may make files in memory. ``listening``: it may make a local socket and wait there, without
    which NVIDIA's driver does not start (error 304); nothing is ever accepted or connected.
    """
    column = ("x86_64", "aarch64").index(machine) if machine in AUDIT else None
    if column is None:
        raise KeyError(machine)
    refuse, allow = _step(_RET, 0, 0, _ERRNO | _EPERM), _step(_RET, 0, 0, _ALLOW)
    absent, load = _step(_RET, 0, 0, _ERRNO | _ENOSYS), _step(_LD, 0, 0, 0)
    void = _step(_RET, 0, 0, _ERRNO)  # an errno that does not exist
    steps = [_step(_LD, 0, 0, 4), _step(_JEQ, 1, 0, AUDIT[machine]), _step(_RET, 0, 0, _KILL), load]
    # X32 numbers and calls that are not known yet.
    steps += [_step(_JGE, 0, 1, _FIRST_UNKNOWN), absent]  # the x32 numbers are in that range too
    open_ = {"memfd_create"} if memfd else set()
    open_ |= _LISTENING if listening else set()
    denied = [numbers[column] for name, numbers in DENIED.items() if name not in open_]
    denied += [numbers[column] for numbers in _MARKS.values()] if exposed else []
    for nr in dict.fromkeys(denied):
        if nr is not None:
            steps += [_step(_JEQ, 0, 1, nr), refuse]
    if listening:
        steps += [_step(_JEQ, 0, 4, DENIED["socket"][column] or 0), _argument(0)]
        steps += [_step(_JEQ, 0, 1, _AF_UNIX), allow, refuse]
    for numbers in _VOID.values():
        steps += [_step(_JEQ, 0, 1, numbers[column]), void]
    steps += [_step(_JEQ, 0, 2 * len(_LOCKS) + 2, _FCNTL[column]), _argument(1)]
    for command in _LOCKS:
        steps += [_step(_JEQ, 0, 1, command), void]
    steps += [load]
    # only to the other end of a pair: no address in either half of argument 4
    steps += [
        _step(_JEQ, 0, 6, _SENDTO[column]),
        _argument(4),
        _step(_JEQ, 0, 3, 0),
        _step(_LD, 0, 0, 52),
        _step(_JEQ, 0, 1, 0),
        allow,
        refuse,
    ]
    steps += [_step(_JEQ, 0, 1, _CLONE3), absent]
    steps += [
        _step(_JEQ, 0, 5, _CLONE[column]),
        _argument(0),
        _step(_AND, 0, 0, _CLONE_THREAD),
        _step(_JEQ, 0, 1, _CLONE_THREAD),
        allow,
        refuse,
    ]
    # not of a group (1) or a user (2): 0 would be all processes of whoever runs the grader
    steps += [
        _step(_JEQ, 0, 5, _OWN["setpriority"][column]),
        _argument(0),
        _step(_JEQ, 1, 0, 1),
        _step(_JEQ, 0, 1, 2),
        refuse,
        load,
    ]
    for own in _OWN.values():
        # setpriority names processes by argument 1; 0 means the caller
        steps += [
            _step(_JEQ, 0, 5, own[column]),
            _argument(own[2]),
            _step(_JEQ, 2, 0, pid),
            _step(_JEQ, 1, 0, 0),
            refuse,
            allow,
        ]
    for barred, argument, values in _BARRED.values():
        steps += [_step(_JEQ, 0, 2 * len(values) + 2, barred[column]), _argument(argument)]
        for value in values:
            steps += [_step(_JEQ, 0, 1, value), refuse]
        steps += [allow]
    return b"".join([*steps, allow])


def install(*, exposed: bool, memfd: bool = False, listening: bool = False) -> None:
    """Filter this process from now on; raises ``OSError``. Needs no_new_privs."""
    code = program(kernel.MACHINE, os.getpid(), exposed=exposed, memfd=memfd, listening=listening)
    steps = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(code) // 8, ctypes.addressof(steps))
    block = ctypes.create_string_buffer(header, len(header))
    kernel.syscall(kernel.number("seccomp"), 1, 0, block, step="seccomp")
