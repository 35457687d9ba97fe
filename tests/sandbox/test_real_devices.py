"""Real accelerators as far as they can be tried without one: what is found, what a box gets.

Other files under /dev stand in for the nodes of a GPU, and written answers for torch's.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from autograder.errors import SandboxError
from autograder.evidence.torch_build import TorchBuild
from autograder.runner import real_device, used_device
from autograder.sandbox import accelerators, device_question
from autograder.sandbox import box as box_module
from autograder.sandbox.accelerators import Accelerator, FoundAccelerators, access_to, understood
from autograder.sandbox.box import Box
from autograder.sandbox.child import Child, ChildAnswer
from autograder.sandbox.isolation.premises import copy_inside
from autograder.sandbox.watch import Watch, resident_mb
from autograder.wire.messages import Begin, CellDone, Limits, RunCell
from tests.support.tables import table_beside

FULL = Accelerator(
    "cuda", "a pretended GPU", 1000, nodes=("/dev/full", "/dev/tty"), visible="GPU-7"
)
LIMITS = Limits(cell_cpu_s=20, cell_wall_s=30, memory_mb=256, disk_mb=16)
UUID = "12345678-aaaa-bbbb-cccc-1234567890ab"


# ---------------------------------------------------------------- what is found


def machine(folder: Path, *names: str, listed: dict[str, int] | None = None) -> tuple[Path, Path]:
    """A made-up /dev and /proc/driver/nvidia; ``listed``: UUID to the number of a node."""
    dev, proc = folder / "dev", folder / "proc"
    for name in names:
        (dev / name).parent.mkdir(parents=True, exist_ok=True)
        (dev / name).touch()
    proc.mkdir()
    (proc / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.124.06  x\n")
    for uuid, number in (listed or {}).items():
        place = proc / "gpus" / f"0000:0{number}:00.0"
        place.mkdir(parents=True)
        lines = f"Model: \t\t A\nGPU UUID: \t GPU-{uuid}\nDevice Minor: \t {number}\n"
        (place / "information").write_text(lines)
    return dev, proc


def answer(*uuids: str, **more: Any) -> dict[str, Any]:
    devices = [{"kind": "cuda", "name": "A", "memory_mb": 100, "uuid": u} for u in uuids]
    return {"devices": devices, "folders": ["/usr/lib/driver"], "problem": "", **more}


NODES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia0", "nvidia3", "nvidia-modeset")


def test_the_node_of_a_device_is_found_by_its_uuid(tmp_path: Path) -> None:
    """CUDA's first device need not be the first node."""
    dev, proc = machine(tmp_path, *NODES, listed={"other": 0, UUID: 3})
    found = understood(answer(UUID, "other"), dev, proc)
    first, second = found.devices
    names = [Path(node).name for node in first.nodes]
    assert names == ["nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia3"]
    assert first.visible == f"GPU-{UUID}"
    assert Path(second.nodes[-1]).name == "nvidia0"
    assert first.driver.startswith("NVIDIA driver 570.124.06, torch ")
    assert (first.memory_mb, first.folders, found.reason) == (100, ("/usr/lib/driver",), "")
    assert found.first("cuda") is first and found.first("mps") is None
    assert found.kinds == ("cuda",)


CAPABILITY = "nvidia-caps/nvidia-cap1"
# what /dev holds, what the driver lists, CUDA_VISIBLE_DEVICES: the device's nodes, what it sees
NODES_OF: dict[str, tuple[tuple[str, ...], dict[str, int], str, tuple[str, ...], str]] = {
    "without the list": (NODES, {}, "", NODES[:5], "0"),
    "the first of those to be seen": (NODES, {}, "2,1", NODES[:5], "2"),
    "the same by name": (NODES, {}, "GPU-x,GPU-y", NODES[:5], "GPU-x"),
    "with capabilities": ((*NODES[:4], CAPABILITY), {}, "", (*NODES[:4], CAPABILITY), "0"),
    "listed without its node": (NODES[:4], {UUID: 9}, "", NODES[:4], "0"),
    "WSL, with one node for all": (("dxg",), {}, "", ("dxg",), "0"),
}


@pytest.mark.parametrize("case", NODES_OF)
def test_where_a_node_cannot_be_told_all_are_there_and_the_same_device_is_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    names, listed, said, nodes, visible = NODES_OF[case]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", said)
    dev, proc = machine(tmp_path, *names, listed=listed)
    (device,) = understood(answer(UUID), dev, proc).devices
    assert [str(Path(node).relative_to(dev)) for node in device.nodes] == [*nodes]
    assert device.visible == visible


def test_rocm_has_nodes_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accelerators, "torch_build", lambda: TorchBuild("2.9", hip="6.2"))
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "1")
    dev, proc = machine(tmp_path, "kfd", "dri/renderD128", "dri/card0", "nvidiactl")
    (device,) = understood(answer(""), dev, proc).devices
    assert device.nodes == (str(dev / "kfd"), str(dev / "dri/renderD128"))
    assert device.visible == "1" and "ROCm 6.2" in device.driver


def test_a_device_that_cannot_be_used_is_none_and_says_why(tmp_path: Path) -> None:
    dev, proc = machine(tmp_path)
    assert understood({"problem": "CUDA error 304"}, dev, proc) == FoundAccelerators(
        reason="CUDA error 304"
    )
    assert "no usable device" in understood({"devices": []}, dev, proc).reason


def test_nothing_is_asked_where_there_can_be_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(accelerators, "torch_build", lambda: TorchBuild("2.9"))
    monkeypatch.setattr(accelerators, "_asked", lambda: asked.append("") or answer(UUID))
    dev, proc = machine(tmp_path, "null")
    assert "built without CUDA" in accelerators.find_accelerators(dev, proc).reason
    monkeypatch.setattr(accelerators, "torch_build", lambda: TorchBuild("2.9", cuda="13.0"))
    assert "nvidiactl or " in accelerators.find_accelerators(dev, proc).reason
    assert asked == []
    (dev / "nvidiactl").touch()
    assert len(accelerators.find_accelerators(dev, proc).devices) == 1


@pytest.mark.parametrize(
    ("boot", "says"),
    [
        ("raise SystemExit(3)", "failed with exit status 3: no message"),
        ("1 / 0", "ZeroDivisionError"),
        ("print('no json')", "failed with exit status 0"),
        ("import time; time.sleep(60)", "did not list its devices within"),
    ],
)
def test_a_question_without_an_answer_is_a_reason(
    monkeypatch: pytest.MonkeyPatch, boot: str, says: str
) -> None:
    monkeypatch.setattr(accelerators, "_BOOT", boot)
    monkeypatch.setattr(accelerators, "ASK_S", 2.0)
    assert says in accelerators._asked()["problem"]


def test_the_question_is_asked_in_a_process_of_its_own() -> None:
    said = accelerators._asked()
    assert said["problem"] == "" and "Traceback" not in str(said)
    assert bool(said["devices"]) == torch.cuda.is_available() or torch.backends.mps.is_available()


def pretended_torch(count: int, *, broken: str = "") -> Any:
    class Tensor:
        def sum(self) -> Tensor:
            if broken:
                raise RuntimeError(broken)
            return self

        def item(self) -> float:
            return 2.0

    seen = SimpleNamespace(name="A", total_memory=3 * 1024**3, uuid=UUID)
    cuda = SimpleNamespace(
        is_available=lambda: count > 0,
        device_count=lambda: count,
        get_device_properties=lambda index: seen,
    )
    mps = SimpleNamespace(is_available=lambda: count < 0)
    return SimpleNamespace(
        cuda=cuda,
        backends=SimpleNamespace(mps=mps),
        ones=lambda n, device: Tensor(),
        mps=SimpleNamespace(recommended_max_memory=lambda: 2 * 1024**3),
    )


def test_each_device_is_used_once_before_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_question, "torch", pretended_torch(2))
    said = device_question.answer()
    assert [d["memory_mb"] for d in said["devices"]] == [3072, 3072]
    assert said["devices"][0]["uuid"] == UUID and said["problem"] == ""
    monkeypatch.setattr(device_question, "torch", pretended_torch(1, broken="CUDA error:\n 304"))
    said = device_question.answer()
    assert (said["devices"], said["problem"]) == ([], "CUDA error: 304")
    monkeypatch.setattr(device_question, "torch", pretended_torch(-1))
    assert [d["kind"] for d in device_question.answer()["devices"]] == ["mps"]


def test_the_drivers_folders_are_those_it_was_loaded_from() -> None:
    maps = (
        "7f00-7f01 r-xp 00000000 08:01 1   /usr/lib/x86_64-linux-gnu/libcuda.so.570.124.06\n"
        "7f02-7f03 r-xp 00000000 08:01 2   /opt/driver one/libnvidia-ptxjitcompiler.so.1\n"
        "7f04-7f05 r-xp 00000000 08:01 3   /usr/lib/libc.so.6\n7f06-7f07 rw-p 00000000 00:00 0\n"
    )
    assert device_question.driver_folders(maps) == ["/opt/driver one", "/usr/lib/x86_64-linux-gnu"]


# ---------------------------------------------------------------- what a box does for it


def test_a_box_without_a_device_does_nothing_for_one() -> None:
    assert access_to(None) == accelerators.NO_ACCESS


def test_what_a_box_does_for_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    node = tmp_path / "renderD128"
    node.touch(mode=0o660)
    node.chmod(0o660)
    device = Accelerator("cuda", "A", 1, "", ("/dev/null", str(node)), (str(tmp_path),), "GPU-1")
    access = access_to(device)
    assert access.nodes == device.nodes
    assert str(tmp_path) in access.readable and "/sys/devices/system/cpu" in access.readable
    assert access.groups == (node.stat().st_gid,)
    assert access.warm["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
    assert access.warm["LD_LIBRARY_PATH"] == str(tmp_path)
    assert access.warm["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"
    assert "CUDA_VISIBLE_DEVICES" not in access.warm
    assert access.child["CUDA_VISIBLE_DEVICES"] == "GPU-1"


def begun(box: Box, limits: Limits = LIMITS) -> Child:
    child = box.spawn(limits)
    child.ask(Begin(1, 10_000, False), cpu_s=10, wall_s=30)
    return child


def ask(child: Child, source: str) -> ChildAnswer:
    return child.ask(RunCell(1, source), cpu_s=20, wall_s=30)


def printed(child: Child, source: str) -> str:
    done = ask(child, source).answer
    assert isinstance(done, CellDone) and done.error is None, done
    return b"".join(output.content for output in done.outputs).decode().strip()


@pytest.fixture(
    scope="module",
    params=[
        "all",
        pytest.param("no cgroup", marks=pytest.mark.slow),
        pytest.param("no namespaces", marks=pytest.mark.slow),
    ],
)
def with_device(request: pytest.FixtureRequest) -> Iterator[Box]:
    without = {"all": (), "no cgroup": ("cgroup",), "no namespaces": ("namespaces", "cgroup")}
    with Box(device=FULL, without=without[request.param]) as box:
        if "landlock" not in box.isolation.layers:
            pytest.skip(f"no landlock here: {box.isolation.missing}")
        yield box


CELLS = table_beside(__file__)
LOOKS, GREEDY = CELLS["looks"], CELLS["greedy"]


def test_an_ordinary_box_opens_no_such_node_and_names_no_thread(plain_box: Box) -> None:
    if "landlock" not in plain_box.isolation.layers:
        pytest.skip(f"no landlock here: {plain_box.isolation.missing}")
    child = begun(plain_box)
    assert printed(child, LOOKS["open"]) == "PermissionError PermissionError"
    assert printed(child, "import os; print(repr(os.environ['CUDA_VISIBLE_DEVICES']))") == "''"
    child.end()


def test_a_child_can_do_for_a_device_what_a_driver_needs_and_no_more(with_device: Box) -> None:
    layers, child = with_device.isolation.layers, begun(with_device)
    # 25 is ENOTTY: the device itself does not know the request; 13 would be a refusal
    assert printed(child, LOOKS["open"]) == "25 PermissionError"
    assert printed(child, LOOKS["thread"]) == "worker"
    assert printed(child, LOOKS["environment"]) == "True GPU-7 :4096:8 1"
    # files in memory are only made where they are counted
    counted = "True" if "cgroup" in layers else "PermissionError"
    assert printed(child, LOOKS["file in memory"]) == counted
    # NVIDIA's driver waits at a local socket, and reports error 304 without it: nobody reaches it
    local = "PermissionError+PermissionError" if "namespaces" in layers else "PermissionError"
    assert printed(child, LOOKS["socket"]).split() == [local, local, *["PermissionError"] * 4]
    if "namespaces" in layers:
        usual = ["full", "null", "random", "shm", "tty", "urandom", "zero"]
        assert printed(child, LOOKS["root"]) == f"{usual} True False"
    seen = Path(f"/proc/{with_device.zygote_pid()}/environ").read_bytes().split(b"\0")
    nobody = {b"CUDA_VISIBLE_DEVICES=", b"HIP_VISIBLE_DEVICES=", b"PYTORCH_NVML_BASED_CUDA_CHECK=1"}
    assert nobody <= {*seen}  # before the fork
    child.end()


@pytest.mark.parametrize("way", GREEDY)
def test_memory_is_bounded_without_a_bound_on_addresses(with_device: Box, way: str) -> None:
    child = begun(with_device)
    done = ask(child, f"{GREEDY[way]}\nimport time\ntime.sleep(1)")
    child.end()
    assert done.stop is not None and done.stop.cause == "memory", done
    assert "256 MB" in done.stop.text


def test_addresses_that_are_only_reserved_cost_nothing(with_device: Box) -> None:
    """As a driver does, by the hundred GB."""
    child = begun(with_device)
    source = (
        "import mmap, time\n"
        "x = mmap.mmap(-1, 2**38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, 0)\n"
        "time.sleep(0.5)\nprint(len(x) >> 30)"
    )
    assert printed(child, source) == "256"
    assert child.held_mb() < 100
    child.end()


def test_what_a_context_takes_is_not_the_students(with_device: Box) -> None:
    child = begun(with_device)
    take = "x = bytearray(200 * 10**6)"
    assert ask(child, take).stop is None
    assert child.held_mb() > 150
    child.started()
    assert abs(child.held_mb()) < 50
    assert ask(child, take.replace("x", "y")).stop is None
    child.end()


@pytest.mark.slow
def test_a_process_whose_memory_nobody_sees_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.sandbox.watch.resident_mb", lambda process: float("nan"))
    refused = pytest.raises(SandboxError, match="nothing limits the memory")
    with Box(device=FULL, without=("cgroup",)) as box, refused:
        box.spawn(LIMITS)


@pytest.mark.slow
def test_a_portable_box_with_a_device_works_as_one_without() -> None:
    """As on a Mac: nothing can be seen from outside, and the limits are those of every process."""
    with Box(portable=True, device=Accelerator("mps", "Apple GPU", 1000)) as box:
        child = begun(box)
        assert printed(child, "print(1 + 1)") == "2"
        if sys.platform == "linux":
            done = ask(child, "x = bytearray(10**9)").answer
            assert isinstance(done, CellDone) and done.error is not None
            assert "MemoryError" in done.error.types
        child.end()


def test_memory_that_cannot_be_seen_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(os.getpid(), LIMITS, None, resident=True)
    assert watch._look() is None
    monkeypatch.setattr("autograder.sandbox.watch.resident_mb", lambda process: float("nan"))
    stop = watch._look()
    assert stop is not None and stop.cause == "memory"


def test_memory_in_use_is_read_from_the_kernel(tmp_path: Path) -> None:
    status = "Name:\tpython\nRssAnon:\t  1024 kB\nVmPTE:\t 2048 kB\nVmSwap:\t 1024 kB\n"
    (tmp_path / "status").write_text(status)
    (tmp_path / "maps").write_text(
        "10000000-10200000 rw-s 00000000 00:01 7   /dev/zero (deleted)\n"
        "20000000-30000000 rw-p 00000000 00:01 7   /dev/zero (deleted)\n"
        "40000000-80000000 rw-s 00000000 00:05 9   /dev/nvidia0\n80000000-90000000 rw-p 0 00:00 0\n"
    )
    assert resident_mb(tmp_path) == 4 + 2
    (tmp_path / "status").write_text(status.replace("VmSwap", "Other"))
    assert resident_mb(tmp_path) != resident_mb(tmp_path)
    assert resident_mb(tmp_path / "nowhere") != resident_mb(tmp_path / "nowhere")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives groups")
@pytest.mark.parametrize(
    ("device", "groups"),
    [
        ("Accelerator('cuda', '', 1, nodes=(sys.argv[1],))", "[4242]"),
        ("None", "[]"),
    ],
)
def test_a_child_keeps_the_group_of_a_node_and_no_other(
    tmp_path: Path, device: str, groups: str
) -> None:
    """A node that only its group may use, as where render nodes belong to a group."""
    node = tmp_path / "node"
    os.mknod(node, stat.S_IFCHR | 0o660, os.makedev(1, 7))
    os.chown(node, 0, 4242)
    node.chmod(0o660)
    script = (
        "import sys\nfrom autograder.sandbox.accelerators import Accelerator\n"
        "from autograder.sandbox.box import Box\nfrom autograder.wire.messages import *\n"
        f"device = {device}\n"
        "with Box(device=device, without=['cgroup']) as box:\n    child = box.spawn(Limits())\n"
        "    child.ask(Begin(1, 1000, False), cpu_s=5, wall_s=20)\n"
        "    cell = RunCell(1, 'import os; print(os.getgroups())')\n"
        "    print(child.ask(cell, cpu_s=5, wall_s=20).answer.outputs[0].content.decode().strip(), "
        "'uid' in box.isolation.layers)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(node)],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
        extra_groups=[0, 4343],
    )
    if done.stdout.strip().endswith("False"):
        pytest.skip("no layer of users here")
    assert done.stdout.strip() == f"{groups} True"


# ---------------------------------------------------------------- before and after the fork


@pytest.mark.slow
@pytest.mark.parametrize(
    ("added", "says"),
    [
        ("torch.cuda._initialized = True", "torch created a CUDA context"),
        ("kept = open('/dev/full')", "/dev/full is open"),
    ],
)
def test_a_warm_process_that_used_a_device_is_not_used(
    monkeypatch: pytest.MonkeyPatch, added: str, says: str
) -> None:
    def copy_and_change(target: Path) -> None:
        copy_inside(target)
        (target / "runner" / "torch_toolkit.py").open("a").write(f"\n{added}\n")
        path = target / "runner" / "used_device.py"
        path.write_text(path.read_text().replace('"/dev/nvidia"', '"/dev/full"'))

    monkeypatch.setattr(box_module, "copy_inside", copy_and_change)
    with pytest.raises(SandboxError, match=f"used an accelerator: {says}"):
        Box(without=("cgroup",))


COUNTS = """
def _counts(*args, **named):
    raise RuntimeError("a gradient counts the devices")
torch.autograd.backward = _counts
"""


@pytest.mark.slow
@pytest.mark.parametrize(("device", "counted"), [(FULL, False), (None, True)])
def test_no_gradient_is_computed_before_the_fork_beside_a_device(
    monkeypatch: pytest.MonkeyPatch, device: Accelerator | None, counted: bool
) -> None:
    """The first one counts the devices that can be seen, which are none: the number is kept by
    torch and by CUDA, in every child too."""

    def copy_and_change(target: Path) -> None:
        copy_inside(target)
        (target / "runner" / "torch_toolkit.py").open("a").write(COUNTS)

    monkeypatch.setattr(box_module, "copy_inside", copy_and_change)
    expected = pytest.raises(SandboxError, match="counts the devices")
    with expected if counted else nullcontext(), Box(without=("cgroup",), device=device):
        pass


def test_a_process_that_used_no_device_says_so() -> None:
    assert torch.cuda.is_initialized() or used_device.in_use() == ""


@pytest.mark.parametrize(("returned", "used"), [(3, False), (0, True), (100, True)])
def test_the_driver_tells_whether_somebody_initialised_it(
    monkeypatch: pytest.MonkeyPatch, returned: int, used: bool
) -> None:
    """cuDeviceGetCount answers 3, not initialised, as long as nobody called cuInit."""
    driver = SimpleNamespace(cuDeviceGetCount=lambda count: returned)
    monkeypatch.setattr(used_device.ctypes, "CDLL", lambda name, mode: driver)
    assert (used_device.in_use() == "the CUDA driver was initialized") is used


def test_a_device_is_bounded_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[Any] = []

    class Square:
        def __matmul__(self, other: Any) -> Square:
            order.append("product")
            return self

        def sum(self) -> Square:
            return self

        def item(self) -> float:
            return 64.0

    monkeypatch.setitem(real_device._bound, "cuda", lambda share: order.append(share))
    monkeypatch.setitem(real_device._wait, "cuda", lambda: order.append("waited"))
    monkeypatch.setattr(real_device, "total_bytes", lambda device: 8 * 1024**3)
    monkeypatch.setattr(real_device.torch, "ones", lambda *size, device: Square())
    real_device.begin("cuda", 2048)
    real_device.begin("cuda", 999_999)
    assert order == [0.25, "product", "waited", 1.0, "product", "waited"]


def test_the_devices_own_generator_and_memory_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    monkeypatch.setitem(real_device._seed, "mps", seeds.append)
    real_device.seed("mps", 2**63 + 5)
    assert seeds == [5]
    seen = SimpleNamespace(total_memory=7)
    monkeypatch.setattr(real_device.torch.cuda, "get_device_properties", lambda index: seen)
    monkeypatch.setattr(real_device.torch.mps, "recommended_max_memory", lambda: 9)
    assert (real_device.total_bytes("cuda"), real_device.total_bytes("mps")) == (7, 9)
