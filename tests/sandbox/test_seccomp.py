"""The filter as a program: what it answers for every call, on both machines, by interpretation.

The box's own tests meet the kernel; this one also covers the machine that we are not on.
"""

from __future__ import annotations

import struct

import pytest

from autograder.sandbox.isolation.kernel import MACHINE
from autograder.sandbox.isolation.seccomp import AUDIT, DENIED, program
from tests.support.tables import table_beside

PID = 4711
ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
MACHINES = ("x86_64", "aarch64")
EVERY = table_beside(__file__)
NAMES, DOORS = EVERY["names"], EVERY["doors"]  # numbers by machine


def answer(
    machine: str, name: str | int, *args: int, arch: int | None = None, exposed: bool = False
) -> int:
    """What the filter answers: a small interpreter of the BPF instructions that it uses."""
    number = name if isinstance(name, int) else NAMES[name][MACHINES.index(machine)]
    args = (*args, *(0 for _ in range(6 - len(args))))
    arch = AUDIT[machine] if arch is None else arch
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, arch, 0, *(a & (2**64 - 1) for a in args))
    code = program(machine, PID, exposed=exposed)
    steps = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
    held, at = 0, 0
    while True:
        what, yes, no, value = steps[at]
        at += 1
        if what == 0x20:
            (held,) = struct.unpack_from("=I", data, value)
        elif what == 0x54:
            held &= value
        elif what in (0x15, 0x35):
            at += yes if (held == value if what == 0x15 else held >= value) else no
        else:
            assert what == 0x06
            return int(value)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_denied_call_is_refused(machine: str) -> None:
    column = MACHINES.index(machine)
    for name, numbers in DENIED.items():
        if numbers[column] is not None:
            assert answer(machine, numbers[column] or 0) == EPERM, name


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "name", ["read", "write", "mmap", "futex", "openat", "exit_group", "socketpair"]
)
def test_what_python_and_torch_need_is_allowed(machine: str, name: str) -> None:
    assert answer(machine, name) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_may_be_made_and_processes_not(machine: str) -> None:
    thread = 0x10000
    assert answer(machine, "clone", thread | 0x100) == ALLOW
    assert answer(machine, "clone", 17) == answer(machine, "clone", 0x10000000) == EPERM
    assert answer(machine, "clone", thread << 32) == EPERM  # the kernel looks at the low half
    assert answer(machine, "clone3", thread) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "index"),
    [("kill", 0), ("tgkill", 0), ("prlimit64", 0), ("sched_setaffinity", 0), ("setpriority", 1)],
)
def test_only_oneself_may_be_meant(machine: str, name: str, index: int) -> None:
    def meaning(pid: int) -> int:
        return answer(machine, name, *(pid if i == index else 9 for i in range(2)))

    assert meaning(PID) == meaning(0) == ALLOW
    assert meaning(1) == meaning(-1) == meaning(PID + 1) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_the_priority_of_all_processes_of_a_user_cannot_be_changed(machine: str) -> None:
    """0 means oneself there too: the user who runs the grader, where the child is that user."""
    process, group, user = 0, 1, 2
    assert answer(machine, "setpriority", process, 0) == ALLOW
    assert answer(machine, "setpriority", group, 0) == EPERM
    assert answer(machine, "setpriority", user, 0) == answer(machine, "setpriority", user, PID)
    assert answer(machine, "setpriority", user, PID) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "index", "barred", "fine"),
    [
        ("fcntl", 1, (8, 10, 15, 1024, 1026), 3),
        ("ioctl", 1, (0x5412, 0x541C, 0x8901, 0x8902), 0x5413),
        ("prctl", 0, (1, 4, 22, 35), 15),
        ("getsockopt", 2, (17, 31, 59, 77), 7),
    ],
)
def test_some_arguments_are_barred(
    machine: str, name: str, index: int, barred: tuple[int, ...], fine: int
) -> None:
    for value in (*barred, *(v | 1 << 32 for v in barred)):
        assert answer(machine, name, *(value if i == index else 0 for i in range(3))) == EPERM
    assert answer(machine, name, *(fine if i == index else 0 for i in range(3))) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("number", [468, 600, 2**30, 2**30 + 59, 2**31, 2**32 - 1])
def test_calls_that_nobody_has_looked_at_are_absent(machine: str, number: int) -> None:
    assert answer(machine, number) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_a_lock_is_taken_by_doing_nothing(machine: str) -> None:
    void = 0x00050000  # an error that is none
    assert answer(machine, "flock", 3, 2) == void
    for command in (6, 7, 37, 38):
        assert answer(machine, "fcntl", 3, command) == void
    assert answer(machine, "fcntl", 3, 5) == answer(machine, "fcntl", 3, 1) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_sent_goes_only_to_the_other_end_of_a_pair(machine: str) -> None:
    assert answer(machine, "sendto", 3, 0, 9, 0, 0, 0) == ALLOW
    for address in (1, 1 << 32, 0x7FFF_0000_1000):
        assert answer(machine, "sendto", 3, 0, 9, 0, address, 16) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_is_the_end(machine: str) -> None:
    other = AUDIT[MACHINES[1 - MACHINES.index(machine)]]
    for arch in (other, 0x40000003, 0):  # the second is 32-bit x86
        assert answer(machine, "read", arch=arch) == KILL


def test_no_jump_leaves_the_program() -> None:
    for machine in MACHINES:
        code = program(machine, PID)
        steps = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
        assert len(steps) <= 4096 and steps[-1][0] == 0x06
        for at, (what, yes, no, _) in enumerate(steps):
            if what in (0x15, 0x35):
                assert at + 1 + max(yes, no) < len(steps)


def test_an_unknown_machine_has_no_filter() -> None:
    with pytest.raises(KeyError):
        program("riscv64", PID)
    assert MACHINE in MACHINES  # or these tests run where the box has no filter at all


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["chmod", "fchownat", "utimensat"])
def test_modes_owners_and_times_stay_where_files_of_others_are_in_sight(
    machine: str, name: str
) -> None:
    assert answer(machine, name, exposed=True) == EPERM
    assert answer(machine, name, exposed=False) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("door", DOORS)
def test_the_doors_of_the_kernel_are_closed(machine: str, door: str) -> None:
    """Whatever the list holds; and whatever else would refuse them, as root without powers."""
    for number in (*DOORS[door][machine], *DOORS[door]["both"]):
        assert answer(machine, number) == EPERM, number
