"""Code as students write it runs under the simulation, and gives what a CUDA device gives."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.runner.simulated_device.faults import NotSimulated
from autograder.runner.simulated_device.labels import CPU, CUDA, device_of
from autograder.runner.simulated_device.unsupported import not_simulated
from autograder.wire.lacking import LACKING as LACKING_NAMES
from tests.support.device_driver import names_of
from tests.support.tables import evaluated, table_beside


@pytest.fixture
def cuda() -> Iterator[None]:
    with SimulatedAccelerator():
        yield


def on_cuda(*tensors: Any) -> bool:
    return all(device_of(tensor) == CUDA for tensor in tensors)


def test_shown_like_a_tensor_of_the_device(cuda: None) -> None:
    x = torch.arange(3, device="cuda")
    assert repr(x) == f"{x}" == str(x) == "tensor([0, 1, 2], device='cuda:0')"
    assert repr(x.double().requires_grad_()) == (
        "tensor([0., 1., 2.], device='cuda:0', dtype=torch.float64, requires_grad=True)"
    )
    assert repr(nn.Parameter(x.float())).startswith("Parameter containing:\n")
    assert "device='cuda:0', requires_grad=True)" in repr(nn.Parameter(x.float()))
    assert f"{x[1]}" == "1" and f"{x.float().mean():.2f}" == "1.00" and repr([x[0]])
    assert "device" not in repr(x.cpu())


def test_values_can_be_read(cuda: None) -> None:
    x = torch.tensor([1.5, 2.5], device="cuda")
    assert x.tolist() == [1.5, 2.5] and x[0].item() == float(x[0]) == 1.5
    assert int(x[1]) == 2 and bool(x.sum() > 3) and len(x) == 2 and [10, 20][x[0].int()] == 20
    assert x.numpy(force=True).tolist() == np.asarray(x.cpu()).tolist() == [1.5, 2.5]
    assert list(range(x[1].int())) == [0, 1] and [float(row) for row in x] == [1.5, 2.5]


def test_gradients_lie_where_their_tensors_lie(cuda: None) -> None:
    near, far = torch.ones(3, requires_grad=True), torch.ones(3, device="cuda", requires_grad=True)
    seen: list[torch.device] = []
    product = near.cuda() * far
    product.register_hook(lambda gradient: seen.append(gradient.device))
    product.sum().backward(retain_graph=True)
    assert near.grad is not None and far.grad is not None
    assert near.grad.device == CPU and far.grad.device == CUDA and seen == [CUDA]
    (again,) = torch.autograd.grad(product.sum(), near)
    assert again.device == CPU
    far.grad = None
    far.grad = torch.zeros(3, device="cuda")
    assert on_cuda(far.grad)


def test_a_function_of_the_students_own_sees_the_device_backwards(cuda: None) -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return 2 * x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            (x,) = ctx.saved_tensors
            assert gradient.device == x.device == CUDA
            return gradient * torch.full(x.shape, 2.0, device=x.device)

    x = torch.ones(2, device="cuda", requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad is not None and x.grad.device == CUDA and x.grad.tolist() == [2.0, 2.0]


def test_backwards_by_any_way(cuda: None) -> None:
    for backward in (torch.Tensor.backward, torch.autograd.backward):
        x = torch.ones(2, device="cuda", requires_grad=True)
        y = x * torch.ones(2, device="cuda")
        y.register_hook(lambda gradient: gradient * torch.ones(2, device="cuda"))
        backward(y.sum(), retain_graph=True)
        assert x.grad is not None and x.grad.device == CUDA
        y.register_hook(lambda gradient: gradient + torch.ones(2))
        with pytest.raises(RuntimeError, match="same device"):
            backward(y.sum())


def test_hooks_on_saved_tensors(cuda: None) -> None:
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * ctx.saved_tensors[0]

    def pack(x: torch.Tensor) -> torch.Tensor:
        return x.cpu() + torch.zeros(2, device=x.device).cpu()

    def unpack(x: torch.Tensor) -> torch.Tensor:
        return x.cuda() + torch.zeros(2, device="cuda")

    x = torch.ones(2, device="cuda", requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = Same.apply(x) * x
    y.sum().backward()
    assert on_cuda(x.grad)


def test_torchs_own_code_gets_the_true_answer(cuda: None) -> None:
    """Else it would go on to use a device that is not there."""
    own = {"__name__": "torch.code", "torch": torch}
    file = torch.__file__.replace("__init__", "some")
    exec(compile("there = torch.cuda.is_available()", file, "exec"), own)
    assert own["there"] is False


MODULES: dict[str, Callable[[], tuple[nn.Module, tuple[torch.Tensor, ...]]]] = {
    "linear": lambda: (nn.Linear(4, 4), (torch.randn(2, 4),)),
    "lstm": lambda: (nn.LSTM(4, 4, batch_first=True), (torch.randn(2, 3, 4),)),
    "attention": lambda: (nn.MultiheadAttention(4, 2), (torch.randn(2, 3, 4),) * 3),
    "encoder at rest": lambda: (
        nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2).eval(),
        (torch.randn(2, 3, 4),),
    ),
    "decoder": lambda: (nn.TransformerDecoderLayer(4, 2, 8), (torch.randn(2, 3, 4),) * 2),
    "pictures": lambda: (
        nn.Sequential(nn.Conv2d(1, 2, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.5)),
        (torch.randn(2, 1, 6, 6),),
    ),
    "bag": lambda: (nn.EmbeddingBag(5, 4), (torch.tensor([[0, 1], [2, 3]]),)),
    "weight norm": lambda: (
        nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)),
        (torch.randn(2, 4),),
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_needs_its_input_on_the_device_and_gives_results_there(
    cuda: None, name: str
) -> None:
    torch.manual_seed(0)
    module, inputs = MODULES[name]()
    module = module.to("cuda")
    assert {p.device for p in module.parameters()} == {CUDA}
    with pytest.raises(RuntimeError, match="same device"):
        module(*inputs)
    result = module(*(tensor.cuda() for tensor in inputs))
    result = result[0] if isinstance(result, tuple) else result
    assert on_cuda(result)
    result.sum().backward()
    assert all(on_cuda(p.grad) for p in module.parameters() if p.grad is not None)
    module.cpu()
    assert {p.device for p in module.parameters()} == {CPU}


OPTIMIZERS: dict[str, Callable[[Any], torch.optim.Optimizer]] = {
    "sgd": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9),
    "adam": lambda p: torch.optim.Adam(p, 0.1, amsgrad=True),
    "adamw each": lambda p: torch.optim.AdamW(p, 0.1, foreach=True),
    "adamw fused": lambda p: torch.optim.AdamW(p, 0.1, fused=True),
    "lbfgs": lambda p: torch.optim.LBFGS(p, 0.1),
}


@pytest.mark.parametrize("before", [False, True], ids=["moved first", "made first"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(cuda: None, name: str, before: bool) -> None:
    """An optimizer that was made before the model moved goes on to work."""
    torch.manual_seed(0)
    module = nn.Linear(3, 1)
    optimizer = OPTIMIZERS[name](module.parameters()) if before else None
    module.cuda()
    optimizer = optimizer or OPTIMIZERS[name](module.parameters())
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    x, y = torch.randn(8, 3, device="cuda"), torch.randn(8, 1, device="cuda")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = F.mse_loss(module(x), y)
        loss.backward()
        return loss

    first = optimizer.step(closure)
    nn.utils.clip_grad_norm_(module.parameters(), 1.0)
    nn.utils.clip_grad_value_(module.parameters(), 1.0)
    optimizer.step(closure)
    schedule.step()
    optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    assert first is not None and closure() < first
    assert on_cuda(*module.parameters())


def test_saved_and_loaded(cuda: None) -> None:
    x = torch.arange(3.0, device="cuda")
    module = nn.Linear(2, 2).cuda()

    def loaded(value: Any, **options: Any) -> Any:
        torch.save(value, file := io.BytesIO())
        file.seek(0)
        return torch.load(file, **options)

    assert on_cuda(loaded(x)) and loaded(x).tolist() == [0.0, 1.0, 2.0]
    assert device_of(loaded(x, map_location="cpu")) == CPU
    assert on_cuda(loaded(x.cpu(), map_location="cuda"), pickle.loads(pickle.dumps(x)))
    assert on_cuda(loaded(x.cpu(), map_location=torch.device("cuda", 0)))
    assert device_of(loaded(x, map_location=lambda storage, place: storage)) == CPU
    assert device_of(loaded(x.cpu())) == CPU
    state = loaded(module.state_dict())
    assert on_cuda(*state.values())
    other = nn.Linear(2, 2)
    other.load_state_dict(state)
    assert device_of(other.weight) == CPU and torch.equal(other.weight, module.weight.cpu())
    again = copy.deepcopy(module)
    assert on_cuda(*again.parameters(), copy.deepcopy(x), copy.copy(x))
    assert on_cuda(*loaded(module, weights_only=False).parameters())


def test_loaders(cuda: None) -> None:
    data = torch.utils.data.TensorDataset(torch.arange(6.0), torch.arange(6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loader = torch.utils.data.DataLoader(data, 4, shuffle=True, pin_memory=True)
        seen = [(x.to("cuda", non_blocking=True), y.cuda(non_blocking=True)) for x, y in loader]
    assert [len(x) for x, _ in seen] == [4, 2] and on_cuda(*seen[0])
    assert torch.ones(2).pin_memory().is_pinned() and not torch.ones(2).is_pinned()


def test_default_devices(cuda: None) -> None:
    with torch.device("cuda"):
        assert on_cuda(torch.zeros(2), torch.tensor([1.0]), nn.Linear(2, 2).weight)
        assert device_of(torch.zeros(2, device="cpu")) == CPU
    assert device_of(torch.zeros(2)) == CPU
    torch.set_default_device("cuda")
    assert torch.get_default_device() == CUDA
    assert on_cuda(torch.arange(3), torch.ones(2) * 2, torch.randn(2), torch.tensor(1))
    torch.set_default_device("cpu")
    assert device_of(torch.arange(3)) == CPU


def test_a_default_device_stays_inside() -> None:
    there = SimulatedAccelerator()
    with there:
        torch.set_default_device("cuda")
    assert device_of(torch.zeros(1)) == CPU
    with there:
        assert on_cuda(torch.zeros(1))
        torch.set_default_device(None)
    with there:
        assert device_of(torch.zeros(1)) == CPU


PLACES = table_beside(__file__)["places"]  # expressions of a tensor ``x``


def _positions(x: torch.Tensor) -> torch.Tensor:
    return x + torch.arange(x.size(0), device=x.device)


@pytest.mark.parametrize("name", PLACES)
def test_what_lies_on_the_device(cuda: None, name: str) -> None:
    result = evaluated(PLACES[name], globals() | {"x": torch.randn(2)})
    assert result.device == CUDA and result.is_cuda and result.get_device() == 0
    assert not result.is_cpu and device_of(result) == CUDA


def test_a_generator_of_the_other_device_is_refused(cuda: None) -> None:
    own, other = torch.Generator(), torch.Generator(device="cuda").manual_seed(3)
    assert isinstance(own, torch.Generator) and isinstance(torch.default_generator, torch.Generator)
    assert other.device == CUDA and own.device == CPU
    for device, generator in (("cuda", own), ("cpu", other)):
        with pytest.raises(RuntimeError, match=f"Expected a '{device}' device type"):
            torch.randn(2, generator=generator, device=device)
    with pytest.raises(RuntimeError, match="'cpu' device type for generator but found 'cuda'"):
        torch.randperm(4, generator=other)


def test_random_numbers_are_those_of_the_cpu(cuda: None) -> None:
    torch.manual_seed(0)
    wanted = torch.randn(3)
    torch.manual_seed(0)
    torch.cuda.manual_seed_all(5)
    assert torch.equal(torch.randn(3, device="cuda").cpu(), wanted)


def test_the_usual_questions(cuda: None) -> None:
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1
    assert torch.cuda.current_device() == 0 and torch.cuda.get_device_name(0)
    assert torch.cuda.memory_allocated() == 0 == torch.cuda.max_memory_allocated("cuda")
    assert torch.cuda.get_device_properties(0).total_memory == torch.cuda.mem_get_info()[1]
    assert torch.cuda.get_device_capability() >= (7, 0) and torch.cuda.is_bf16_supported()
    assert torch.accelerator.is_available() and torch.backends.cudnn.is_available()
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
    assert not torch.backends.mps.is_available()
    torch.cuda.synchronize(), torch.cuda.empty_cache(), torch.cuda.set_device(0)
    with torch.cuda.device(0), torch.cuda.stream(torch.cuda.Stream()):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        end.record()
        torch.cuda.synchronize()
        assert start.elapsed_time(end) >= 0
    assert isinstance(torch.zeros(1).cuda(), torch.cuda.FloatTensor)
    assert not isinstance(torch.zeros(1), torch.cuda.FloatTensor)
    assert torch.zeros(1).cuda().type() == "torch.cuda.FloatTensor"
    assert torch.device("cuda") != torch.zeros(1).cuda().device


def test_autocast_and_scaling(cuda: None) -> None:
    module = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cuda", init_scale=8.0)
    before = module.weight.detach().clone()
    with torch.autocast("cuda", dtype=torch.float16):
        result = module(torch.randn(2, 4, device="cuda"))
    assert result.dtype == torch.float16 and on_cuda(result)
    with torch.autocast(device_type="cuda"):
        assert module(torch.randn(2, 4, device="cuda")).dtype == torch.float16
    scaler.scale(result.float().sum()).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    assert scaler.is_enabled() and not torch.equal(before, module.weight)


def test_transforms_with_several_devices(cuda: None) -> None:
    x = torch.randn(3, 2, device="cuda")
    with pytest.raises(RuntimeError, match="same device"):
        torch.func.vmap(lambda row: row + torch.ones(2))(x)
    loss = torch.func.grad(lambda v: (v @ torch.ones(2, 2, device=v.device)).sum())
    assert on_cuda(torch.func.vmap(loss)(x), torch.func.jacfwd(torch.sin)(x[0]))


def test_recomputed_on_the_way_back(cuda: None) -> None:
    module = nn.Linear(2, 2).cuda()

    def part(x: torch.Tensor) -> torch.Tensor:
        return module(x) * torch.arange(2, device=x.device)

    for reentrant in (False, True):
        x = torch.ones(2, 2, device="cuda", requires_grad=True)
        torch.utils.checkpoint.checkpoint(part, x, use_reentrant=reentrant).sum().backward()
        assert on_cuda(x.grad, module.weight.grad)


def test_inference_and_in_place(cuda: None) -> None:
    x = torch.zeros(4, device="cuda")
    with torch.inference_mode():
        y = x + 1
        assert on_cuda(y, y[1:], y.clone())
    with torch.no_grad():
        x[1:3] = 5
        x.add_(1).mul_(2.0)
        x[x > 10] = 0
    assert x.tolist() == [2.0, 0.0, 0.0, 2.0] and on_cuda(x)


def test_drawn(cuda: None) -> None:
    from matplotlib import pyplot as plt

    x = torch.arange(3.0, device="cuda")
    (line,) = plt.plot(x.cpu(), x.cpu().numpy())
    assert list(line.get_ydata()) == [0.0, 1.0, 2.0]
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
        plt.plot(x)
    plt.close("all")


LACKING: dict[str, Callable[[], object]] = {
    "trace": lambda: torch.jit.trace(torch.sin, torch.ones(1, device="cuda")),
    "graphs": lambda: torch.cuda.CUDAGraph().capture_begin(),
    "memory history": lambda: torch.cuda.memory_snapshot(),
    "peer access": lambda: torch.cuda.can_device_access_peer(0, 1),
    "storages": lambda: torch.ones(1).untyped_storage().cuda(),
    "exchange": lambda: torch.from_dlpack(torch.ones(1, device="cuda")),
}


@pytest.mark.parametrize("name", LACKING)
def test_what_is_lacking_is_said(cuda: None, name: str) -> None:
    with pytest.raises((NotSimulated, RuntimeError, AttributeError)) as seen:
        LACKING[name]()
    assert not_simulated(seen.value) in LACKING_NAMES


def test_attention_takes_any_kernel_of_an_accelerator(cuda: None) -> None:
    x = torch.ones(1, 1, 4, 8, device="cuda")
    for name, backend in SDPBackend.__members__.items():
        if name not in ("ERROR", "OVERRIDEABLE"):
            with sdpa_kernel(backend):
                assert on_cuda(F.scaled_dot_product_attention(x, x, x)), name


LIE = "    raise RuntimeError('failed in the TorchScript interpreter')\n"


def _twice(x: torch.Tensor) -> torch.Tensor:
    return x + x


def _range(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.size(0), device=x.device)


def _sum(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x + y


def test_a_script_from_before_is_not_followed() -> None:
    scripted, maker = torch.jit.script(_twice), torch.jit.script(_range)
    mixer = torch.jit.script(_sum)
    with SimulatedAccelerator():
        assert scripted(torch.ones(2)).tolist() == [2.0, 2.0]
        assert torch.FloatTensor(2, 3).shape == (2, 3)
        names = names_of("def call(f, x):\n    return f(x)\n\n\ndef lie():\n" + LIE)
        assert names["call"](scripted, torch.ones(2, device="cuda")).is_cuda
        with pytest.raises(RuntimeError) as seen:
            mixer(torch.ones(2, device="cuda"), torch.ones(2))
        assert not_simulated(seen.value) == "TorchScript"
        with pytest.raises(RuntimeError) as seen:
            names["call"](maker, torch.ones(2, device="cuda"))
        assert not_simulated(seen.value) == "TorchScript"
        with pytest.raises(RuntimeError) as seen:
            maker(torch.ones(2, device="cuda"))  # as a name of the notebook, with no line around
        assert not_simulated(seen.value) == "TorchScript"
        with pytest.raises(RuntimeError) as said:
            names["lie"]()
        assert not_simulated(said.value) == ""


def test_a_module_goes_where_a_tensor_is(cuda: None) -> None:
    near = torch.ones(2, device="cuda", dtype=torch.float64)
    layer = nn.Linear(2, 2).to(near)
    assert (layer.weight.device, layer.weight.dtype) == (torch.device("cuda:0"), torch.float64)
    assert layer.to(torch.ones(1)).weight.device.type == "cpu"
    assert torch.ones(2).to(tensor=near).is_cuda


def test_lengths_of_a_packed_batch_are_on_the_cpu(cuda: None) -> None:
    batch, lengths = torch.ones(2, 3, 1, device="cuda"), torch.tensor([3, 2])
    packed = nn.utils.rnn.pack_padded_sequence(batch, lengths, batch_first=True)
    result, _ = nn.LSTM(1, 2, batch_first=True).cuda()(packed)
    padded, again = nn.utils.rnn.pad_packed_sequence(result, batch_first=True)
    assert on_cuda(padded, packed.data) and device_of(packed.batch_sizes) == CPU
    assert not again.is_cuda
    assert again.numpy().tolist() == [3, 2]
    for ordered in (True, False):
        with pytest.raises(RuntimeError, match="1D CPU int64 tensor, but got 1D cuda:0"):
            nn.utils.rnn.pack_padded_sequence(batch, lengths.cuda(), enforce_sorted=ordered)


def test_a_gradient_of_another_device_is_refused_at_the_root(cuda: None) -> None:
    x = torch.ones(2, device="cuda", requires_grad=True)
    with pytest.raises(RuntimeError, match="expected device cuda:0 but got cpu"):
        (x * 2).backward(torch.ones(2))
    with pytest.raises(RuntimeError, match="expected device cuda:0 but got cpu"):
        torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(2))
    (x * 2).backward(torch.ones(2, device="cuda"))
    assert x.grad is not None and x.grad.is_cuda


def test_lengths_of_a_ctc_loss_may_be_on_the_cpu(cuda: None) -> None:
    logs = torch.randn(5, 2, 4, device="cuda").log_softmax(-1)
    targets = torch.tensor([[1, 2], [3, 1]], device="cuda")
    loss = F.ctc_loss(logs, targets, torch.tensor([5, 5]), torch.tensor([2, 2]))
    plain = F.ctc_loss(logs.cpu(), targets.cpu(), torch.tensor([5, 5]), torch.tensor([2, 2]))
    assert loss.is_cuda and torch.allclose(loss.cpu(), plain)


def test_a_function_over_a_batch_may_put_its_axis_anywhere(cuda: None) -> None:
    def scaled(row: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
        return torch.stack([row * by, row])

    x = torch.ones(3, 4, device="cuda")
    found = torch.vmap(scaled, in_dims=(1, None), out_dims=2)(x, torch.ones(3, device="cuda"))
    assert (found.shape, found.device) == ((2, 3, 4), torch.device("cuda:0"))


def test_the_old_wrapper_of_variables_is_followed(cuda: None) -> None:
    old = torch.autograd.Variable(torch.ones(2, device="cuda"), requires_grad=True)
    assert old.device == torch.device("cuda:0")
    with pytest.raises(RuntimeError, match="same device"):
        old + torch.ones(2)


def test_a_sparse_tensor_lies_where_its_values_do(cuda: None) -> None:
    places = torch.tensor([[0, 1], [1, 0]], device="cuda")
    made = torch.sparse_coo_tensor(places, torch.ones(2, device="cuda"), (2, 2))
    assert made.device == torch.device("cuda:0")
    assert torch.sparse.mm(made, torch.ones(2, 2, device="cuda")).is_cuda
    assert torch.sparse_coo_tensor(places.cpu(), torch.ones(2), (2, 2)).device.type == "cpu"


def test_students_handlers_do_not_hide_it(cuda: None) -> None:
    with pytest.raises(NotSimulated), contextlib.suppress(Exception):
        torch.jit.trace(torch.sin, torch.ones(1))


def test_a_second_device_is_not_there(cuda: None) -> None:
    for attempt in (
        lambda: torch.zeros(1, device="cuda:1"),
        lambda: torch.ones(1).to(1),
        lambda: torch.ones(1).cuda(2),
        lambda: torch.cuda.set_device(1),
    ):
        with pytest.raises(RuntimeError, match="CUDA error: invalid device ordinal"):
            attempt()
    with pytest.raises(AssertionError, match="Invalid device id"):
        torch.cuda.get_device_properties(1)


def test_meta_and_double_moves(cuda: None) -> None:
    x = torch.empty(2, device="meta")
    assert (x + 1).device.type == "meta" and torch.ones(1).to("meta").is_meta
    y = torch.ones(2, device="cuda")
    assert y.to("cuda") is y and y.to("cuda", copy=True) is not y and y.cpu().cpu().is_cpu
