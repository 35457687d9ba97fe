"""More student-like code of other forms, written after the simulation stood: a second list.

The verdicts follow from CUDA's rules (see ``device_cases``), not from what the simulation said.
A case of the family "free" defines ``main(device)`` and the numbers ``WANTED``.
"""

from __future__ import annotations

from tests.support.device_cases import Case, model

_CLASS = """
class {name}(nn.Module):
    {init}
    def forward(self, {x}):
        {forward}
"""


def _module(name: str, x: str, signature: str, init: str, forward: str, before: str = "") -> str:
    first = f"def __init__(self, {signature}):\n        super().__init__()\n"
    body = "\n".join(f"        {line}" for line in init.strip().splitlines())
    after = "\n        ".join(forward.strip().splitlines())
    return before + _CLASS.format(name=name, x=x, init=first + body, forward=after)


def _encoding(init: str, forward: str, before: str = "") -> str:
    return _module("PositionalEncoding", "x", "d_model, max_len=32", init, forward, before)


def _gpt(init: str, forward: str, before: str = "") -> str:
    both = "self.wte = nn.Embedding(vocab, d)\nself.wpe = nn.Embedding(max_len, d)\n"
    return _module("GPT2Embeddings", "ids", "vocab, max_len, d", both + init, forward, before)


def _rope(init: str, forward: str, before: str = "") -> str:
    return _module("RoPE", "q", "dim, max_len=32", init, forward, before)


_SINES = (
    "position = torch.arange(max_len)[:, None]\n"
    "rate = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))\n"
    "pe = torch.stack([torch.sin(position * rate), torch.cos(position * rate)], -1).flatten(1)\n"
)
_FREQ = "freq = 10000.0 ** (-torch.arange(0, dim, 2) / dim)\n"
_TURN = (
    "even, odd = q[..., ::2], q[..., 1::2]\n"
    "return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).reshape(q.shape)"
)
_SUM = "return self.wte(ids) + self.wpe(pos)"

ENCODINGS = [
    Case(
        "G1",
        "pemod",
        "ok",
        "ok",
        "correct: named device of the input",
        _encoding(
            _SINES + "self.register_buffer('pe', pe)",
            "n = x.shape[1]\nreturn x.add(self.pe[:n].unsqueeze(0))",
        ),
    ),
    Case(
        "G2",
        "pemod",
        "ok",
        "E",
        "the table is a class attribute",
        _encoding(
            "pass", "return x + self.TABLE[: x.shape[1]]", "d_model, max_len = 8, 32\n" + _SINES
        ).replace("(nn.Module):", "(nn.Module):\n    TABLE = pe"),
        "return x +",
        ("attribute", "PositionalEncoding.TABLE"),
    ),
    Case(
        "G3",
        "pemod",
        "ok",
        "E",
        "the table is a global name",
        _encoding(
            "pass",
            "return x + TABLE[: x.shape[1]]",
            "d_model, max_len = 8, 32\n" + _SINES + "TABLE = pe\n",
        ),
        "return x +",
        ("global", "pe"),
    ),
    Case(
        "G4",
        "pemod",
        "ok",
        "E",
        "a cached function that does not know the device",
        """
from functools import lru_cache

@lru_cache(maxsize=None)
def table(n, d):
    rate = 10000.0 ** (-torch.arange(0, d, 2) / d)
    angle = torch.arange(n)[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)

class PositionalEncoding(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
    def forward(self, x):
        return x + table(x.shape[1], self.d_model)
""",
        "return x + table",
        ("made", "torch.arange(n)"),
    ),
    Case(
        "G5",
        "pemod",
        "ok",
        "ok",
        "correct: a plain function that is given the device",
        """
def table(n, d, device):
    rate = 10000.0 ** (-torch.arange(0, d, 2, device=device) / d)
    angle = torch.arange(n, device=device)[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)

class PositionalEncoding(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
    def forward(self, x):
        return x + table(x.shape[1], self.d_model, x.device)
""",
    ),
    Case(
        "G6",
        "pemod",
        "ok",
        "ok",
        "correct: requires_grad_(False) on the input, in place on it",
        _encoding(
            _SINES + "self.register_buffer('pe', pe)",
            "x = x.clone()\nx += self.pe[: x.shape[1]]\nreturn x",
        ),
    ),
    Case(
        "G7",
        "pemod",
        "ok",
        "D",
        "the sum is written into a table on the CPU",
        _encoding(
            _SINES + "self.register_buffer('pe', pe)",
            "out = torch.zeros(x.shape)\nout[:] = x + self.pe[: x.shape[1]]\nreturn out",
        ),
    ),
    Case(
        "G8",
        "pemod",
        "ok",
        "D",
        "the result is sent to the CPU",
        _encoding(
            _SINES + "self.register_buffer('pe', pe)", "return (x + self.pe[: x.shape[1]]).cpu()"
        ),
    ),
    Case(
        "G9",
        "pemod",
        "ok",
        "E",
        "a buffer and a plain attribute under one roof",
        _encoding(
            _SINES + "self.register_buffer('pe', pe)\nself.one = torch.ones(1)",
            "return x * self.one + self.pe[: x.shape[1]]",
        ),
        "x * self.one",
        ("attribute", "PositionalEncoding.one"),
    ),
    Case(
        "G10",
        "pemod",
        "ok",
        "ok",
        "correct: overrides _apply to move its table",
        """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=32):
        super().__init__()
        rate = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
        angle = torch.arange(max_len)[:, None] * rate
        self.pe = torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.pe = fn(self.pe)
        return self
    def forward(self, x):
        return x + self.pe[: x.shape[1]]
""",
    ),
    Case(
        "G11",
        "pemod",
        "E",
        "ok",
        "writes 'cuda' where the batch tells the device",
        _encoding(
            _SINES + "self.register_buffer('pe', pe)",
            "n = torch.arange(x.shape[1], device='cuda')\nreturn x + self.pe[n]",
        ),
        "self.pe[n]",
        ("made", "torch.arange(x.shape[1], device='cuda')"),
    ),
    Case(
        "G12",
        "pemod",
        "ok",
        "E",
        "joined rows in a list of tensors",
        _encoding(
            _SINES + "self.rows = list(pe)", "return x + torch.stack(self.rows[: x.shape[1]])"
        ),
        "return x +",
        ("attribute", "PositionalEncoding.rows[0]"),
    ),
    Case(
        "G13",
        "pemod",
        "ok",
        "ok",
        "correct: values read into Python and sent back",
        _encoding(
            _SINES + "self.rows = pe.tolist()",
            "return x + torch.tensor(self.rows[: x.shape[1]]).to(x)",
        ),
    ),
    Case(
        "G14",
        "pemod",
        "ok",
        "ok",
        "correct: a module list of encodings",
        _encoding(
            _SINES + "self.parts = nn.ParameterList([nn.Parameter(pe)])",
            "return x + self.parts[0][: x.shape[1]]",
        ),
    ),
]

EMBEDDINGS = [
    Case(
        "H1",
        "gpt2",
        "ok",
        "ok",
        "correct: positions by cumsum of ones of the ids",
        _gpt("pass", "pos = torch.ones_like(ids).cumsum(-1) - 1\n" + _SUM),
    ),
    Case(
        "H2",
        "gpt2",
        "ok",
        "E",
        "positions from a NumPy array",
        _gpt("pass", "pos = torch.from_numpy(np.arange(ids.shape[1]))\n" + _SUM),
        _SUM,
        ("made", "torch.from_numpy(np.arange(ids.shape[1]))"),
    ),
    Case(
        "H3",
        "gpt2",
        "ok",
        "E",
        "positions as tensor of a list",
        _gpt("pass", "pos = torch.tensor([i for i in range(ids.shape[1])])\n" + _SUM),
        _SUM,
        ("made", "torch.tensor([i for i in range(ids.shape[1])])"),
    ),
    Case(
        "H4",
        "gpt2",
        "ok",
        "ok",
        "correct: tensor of a list, moved by .to(ids.device)",
        _gpt("pass", "pos = torch.tensor(range(ids.shape[1])).to(ids.device)\n" + _SUM),
    ),
    Case(
        "H5",
        "gpt2",
        "ok",
        "ok",
        "correct: new_tensor takes the device of its tensor",
        _gpt("pass", "pos = ids.new_tensor(list(range(ids.shape[1])))\n" + _SUM),
    ),
    Case(
        "H6",
        "gpt2",
        "ok",
        "E",
        "one-hot rows on the CPU times the weight",
        _gpt(
            "pass",
            "hot = torch.eye(self.wpe.num_embeddings)[: ids.shape[1]]\n"
            "return self.wte(ids) + hot @ self.wpe.weight",
        ),
        "hot @",
        ("made", "torch.eye(self.wpe.num_embeddings)"),
    ),
    Case(
        "H7",
        "gpt2",
        "ok",
        "ok",
        "legal: a scalar scale on the CPU",
        _gpt(
            "self.scale = torch.tensor(2.0) ** 0",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "return self.scale * (self.wte(ids) + self.wpe(pos))",
        ),
    ),
    Case(
        "H8",
        "gpt2",
        "ok",
        "E",
        "a scalar scale of shape (1,)",
        _gpt(
            "self.scale = torch.ones(1)",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "return self.scale * (self.wte(ids) + self.wpe(pos))",
        ),
        "self.scale *",
        ("attribute", "GPT2Embeddings.scale"),
    ),
    Case(
        "H9",
        "gpt2",
        "ok",
        "E",
        "the ids are sent to the CPU first",
        _gpt("pass", "ids = ids.cpu()\npos = torch.arange(ids.shape[1])\n" + _SUM),
        _SUM,
        ("made", "ids.cpu()"),
    ),
    Case(
        "H10",
        "gpt2",
        "ok",
        "E",
        "values into a Python list, then a tensor without a device",
        _gpt(
            "pass",
            "rows = torch.tensor([[int(i) for i in row] for row in ids])\n"
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "return self.wte(rows) + self.wpe(pos)",
        ),
        "self.wte(rows)",
        ("made", "torch.tensor([[int(i) for i in row] for row in ids])"),
    ),
    Case(
        "H11",
        "gpt2",
        "ok",
        "E",
        "the padding row is set with a mask of the CPU",
        _gpt(
            "self.keep = torch.ones(vocab, 1)",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "return F.embedding(ids, self.wte.weight * self.keep) + self.wpe(pos)",
        ),
        "self.keep",
        ("attribute", "GPT2Embeddings.keep"),
    ),
    Case(
        "H12",
        "gpt2",
        "ok",
        "E",
        "weights copied out as .data of the CPU",
        _gpt(
            "self.table = self.wpe.weight.data.clone()",
            "return self.wte(ids) + self.table[None, : ids.shape[1]]",
        ),
        "self.table",
        ("attribute", "GPT2Embeddings.table"),
    ),
    Case(
        "H13",
        "gpt2",
        "ok",
        "ok",
        "correct: gather of expanded positions",
        _gpt(
            "pass",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "index = pos[:, None].expand(-1, self.wpe.embedding_dim)\n"
            "return self.wte(ids) + torch.gather(self.wpe.weight, 0, index)",
        ),
    ),
    Case(
        "H14",
        "gpt2",
        "ok",
        "E",
        "gather with positions of the CPU",
        _gpt(
            "pass",
            "pos = torch.arange(ids.shape[1])\n"
            "index = pos[:, None].expand(-1, self.wpe.embedding_dim)\n"
            "return self.wte(ids) + torch.gather(self.wpe.weight, 0, index)",
        ),
        "torch.gather",
        ("made", "torch.arange(ids.shape[1])"),
    ),
    Case(
        "H15",
        "gpt2",
        "ok",
        "E",
        "layers in a dictionary",
        _gpt(
            "self.layers = {'norm': nn.LayerNorm(d)}",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "h = self.wte(ids) + self.wpe(pos)\nreturn h + 0 * self.layers['norm'](h)",
        ),
        "self.layers['norm']",
        ("layer", "GPT2Embeddings.layers['norm'].weight"),
    ),
    Case(
        "H16",
        "gpt2",
        "ok",
        "ok",
        "correct: layers in a module dictionary",
        _gpt(
            "self.layers = nn.ModuleDict({'norm': nn.LayerNorm(d)})",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "h = self.wte(ids) + self.wpe(pos)\nreturn h + 0 * self.layers['norm'](h)",
        ),
    ),
    Case(
        "H17",
        "gpt2",
        "ok",
        "E",
        "a layer made in forward",
        _gpt(
            "self.d = d",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "h = self.wte(ids) + self.wpe(pos)\nreturn h + 0 * nn.Linear(self.d, self.d)(h)",
        ),
        "nn.Linear",
        ("made", "nn.Linear(self.d, self.d)"),
    ),
    Case(
        "H18",
        "gpt2",
        "ok",
        "E",
        "a test for a special id with isin",
        _gpt(
            "pass",
            "pos = torch.arange(ids.shape[1], device=ids.device)\n"
            "bad = torch.isin(ids, torch.tensor([99]))\nassert not bad.any()\n" + _SUM,
        ),
        "torch.isin",
        ("made", "torch.tensor([99])"),
    ),
]

ROTATIONS = [
    Case(
        "I1",
        "rope",
        "ok",
        "ok",
        "correct: the tables are buffers",
        _rope(
            _FREQ + "angle = torch.arange(max_len)[:, None] * freq\n"
            "self.register_buffer('cos', angle.cos())\nself.register_buffer('sin', angle.sin())",
            "cos, sin = self.cos[: q.shape[-2]], self.sin[: q.shape[-2]]\n" + _TURN,
        ),
    ),
    Case(
        "I2",
        "rope",
        "ok",
        "E",
        "the tables are made in forward without a device",
        _rope(
            "self.dim = dim",
            "freq = 10000.0 ** (-torch.arange(0, self.dim, 2) / self.dim)\n"
            "angle = torch.arange(q.shape[-2])[:, None] * freq\n"
            "cos, sin = angle.cos(), angle.sin()\n" + _TURN,
        ),
        "return torch.stack",
        ("made", "torch.arange(q.shape[-2])"),
    ),
    Case(
        "I3",
        "rope",
        "ok",
        "ok",
        "correct: the tables are made in forward and sent after",
        _rope(
            "self.dim = dim",
            "freq = 10000.0 ** (-torch.arange(0, self.dim, 2) / self.dim)\n"
            "angle = (torch.arange(q.shape[-2])[:, None] * freq).to(q)\n"
            "cos, sin = angle.cos(), angle.sin()\n" + _TURN,
        ),
    ),
    Case(
        "I4",
        "rope",
        "ok",
        "E",
        "a mask for the sign on the CPU",
        _rope(
            _FREQ + "self.register_buffer('freq', freq)\nself.sign = torch.tensor([-1.0, 1.0])",
            "angle = torch.arange(q.shape[-2], device=q.device)[:, None] * self.freq\n"
            "pairs = q.unflatten(-1, (-1, 2))\n"
            "turned = pairs.flip(-1) * self.sign\n"
            "both = pairs * angle.cos()[..., None] + turned * angle.sin()[..., None]\n"
            "return both.flatten(-2)",
        ),
        "self.sign",
        ("attribute", "RoPE.sign"),
    ),
    Case(
        "I5",
        "rope",
        "ok",
        "ok",
        "correct: a matrix of turns as a buffer, einsum",
        _rope(
            _FREQ + "angle = torch.arange(max_len)[:, None] * freq\n"
            "c, s = angle.cos(), angle.sin()\n"
            "turn = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)\n"
            "self.register_buffer('turn', turn)",
            "pairs = q.unflatten(-1, (-1, 2))\n"
            "return torch.einsum('nkij,bhnkj->bhnki', self.turn[: q.shape[-2]], pairs)"
            ".flatten(-2)",
        ),
    ),
    Case(
        "I6",
        "rope",
        "ok",
        "E",
        "results written into an empty tensor, element by element",
        _rope(
            _FREQ + "self.freq = freq",
            "angle = torch.arange(q.shape[-2], device=q.device)[:, None] * self.freq\n"
            "cos, sin = angle.cos(), angle.sin()\n" + _TURN,
        ),
        "self.freq",
        ("attribute", "RoPE.freq"),
    ),
    Case(
        "I7",
        "rope",
        "ok",
        "D",
        "results written into an empty tensor on the CPU",
        _rope(
            _FREQ + "self.register_buffer('freq', freq)",
            "angle = torch.arange(q.shape[-2], device=q.device)[:, None] * self.freq\n"
            "cos, sin = angle.cos(), angle.sin()\nout = torch.empty(q.shape)\n"
            "out[..., ::2] = q[..., ::2] * cos - q[..., 1::2] * sin\n"
            "out[..., 1::2] = q[..., ::2] * sin + q[..., 1::2] * cos\nreturn out",
        ),
    ),
    Case(
        "I8",
        "rope",
        "ok",
        "ok",
        "correct: the same into a tensor like the input",
        _rope(
            _FREQ + "self.register_buffer('freq', freq)",
            "angle = torch.arange(q.shape[-2], device=q.device)[:, None] * self.freq\n"
            "cos, sin = angle.cos(), angle.sin()\nout = torch.empty_like(q)\n"
            "out[..., ::2] = q[..., ::2] * cos - q[..., 1::2] * sin\n"
            "out[..., 1::2] = q[..., ::2] * sin + q[..., 1::2] * cos\nreturn out",
        ),
    ),
    Case(
        "I9",
        "ropec",
        "ok",
        "E",
        "the imaginary unit as a tensor of one element",
        _rope(
            _FREQ + "self.register_buffer('freq', freq)",
            "angle = torch.arange(q.shape[-2], device=q.device)[:, None] * self.freq\n"
            "turn = torch.exp(torch.tensor([1j]) * angle)\n"
            "z = torch.view_as_complex(q.unflatten(-1, (-1, 2)).contiguous())\n"
            "return torch.view_as_real(z * turn).flatten(-2)",
        ),
        "torch.tensor([1j])",
        ("made", "torch.tensor([1j])"),
    ),
    Case(
        "I10",
        "ropec",
        "ok",
        "ok",
        "legal: the imaginary unit as a 0-dim tensor",
        _rope(
            _FREQ + "self.register_buffer('freq', freq)",
            "angle = torch.arange(q.shape[-2], device=q.device)[:, None] * self.freq\n"
            "turn = torch.exp(torch.tensor(1j) * angle)\n"
            "z = torch.view_as_complex(q.unflatten(-1, (-1, 2)).contiguous())\n"
            "return torch.view_as_real(z * turn).flatten(-2)",
        ),
    ),
]

STEPS = [
    Case(
        "J1",
        "pipe",
        "ok",
        "ok",
        "correct: losses in a list, joined on the device",
        model(count="total = torch.stack([loss.detach()]).mean().item()"),
    ),
    Case(
        "J2",
        "pipe",
        "ok",
        "E",
        "losses joined with one of the CPU",
        model(count="total = torch.stack([loss.detach(), torch.zeros(())]).sum().item()"),
        "torch.stack",
        ("made", "torch.zeros(())"),
    ),
    Case(
        "J3",
        "pipe",
        "ok",
        "E",
        "np.mean of losses",
        model(count="total = np.mean([loss.detach().numpy()])"),
        "np.mean",
        ("unknown", ""),
    ),
    Case(
        "J4",
        "pipe",
        "ok",
        "ok",
        "correct: np.mean of .item()",
        model(count="total = np.mean([loss.item()])"),
    ),
    Case(
        "J5",
        "pipe",
        "ok",
        "E",
        "a mask as an upper triangle without a device, added",
        model(masked="s + torch.full((T, T), float('-inf')).triu(1)"),
        "triu",
        ("made", "torch.full((T, T), float('-inf'))"),
    ),
    Case(
        "J6",
        "pipe",
        "ok",
        "ok",
        "correct: the mask is a buffer",
        model(
            init="self.register_buffer('m', torch.ones(max_len, max_len).tril().bool())",
            masked="s.masked_fill(self.m[:T, :T].logical_not(), -torch.inf)",
        ),
    ),
    Case(
        "J7",
        "pipe",
        "ok",
        "E",
        "a copy of the model that was made before the move",
        model(
            init="self.other = [self.tok]",
            move="import copy\nids = ids.to(device)\nema = copy.deepcopy(model).cpu()\nema(ids)",
        ),
        "self.tok(ids)",
        ("made", "copy.deepcopy(model).cpu()"),
    ),
    Case(
        "J8",
        "pipe",
        "ok",
        "ok",
        "correct: weights averaged under no_grad",
        model(
            move="import copy\nids = ids.to(device)\nema = copy.deepcopy(model)",
            step="opt.step()\nwith torch.no_grad():\n"
            "    for a, b in zip(ema.parameters(), model.parameters()):\n"
            "        a.mul_(0.9).add_(b, alpha=0.1)",
        ),
    ),
    Case(
        "J9",
        "pipe",
        "ok",
        "ok",
        "correct: the best state kept on the CPU and loaded again",
        model(
            step="opt.step()\nbest = {k: v.cpu().clone() for k, v in model.state_dict().items()}"
            "\nmodel.load_state_dict(best)\nmodel(ids)"
        ),
    ),
    Case(
        "J10",
        "pipe",
        "E",
        "ok",
        ".cuda() on the batch, whatever the device",
        model(move="ids = ids.cuda()"),
        "self.pos(",
        ("made", "ids.cuda()"),
    ),
    Case(
        "J11",
        "pipe",
        "ok",
        "E",
        "a noise of the CPU on the embeddings",
        model(pre="h = h + 0.0 * torch.randn(B, T, 8)"),
        "torch.randn",
        ("made", "torch.randn(B, T, 8)"),
    ),
    Case(
        "J12",
        "pipe",
        "ok",
        "ok",
        "correct: noise like the embeddings",
        model(pre="h = h + 0.0 * torch.randn_like(h)"),
    ),
    Case(
        "J13",
        "pipe",
        "ok",
        "E",
        "positions kept by a helper object of a class of its own",
        "class Positions:\n    def __init__(self, n):\n        self.all = torch.arange(n)\n"
        "    def first(self, n):\n        return self.all[:n]\n\n"
        + model(
            init="self.positions = Positions(max_len)",
            pre="h = h + 0.0 * self.pos(self.positions.first(T))",
        ),
        "self.positions.first",
        ("attribute", "Model.positions.all"),
    ),
]

PROGRAMS = [
    Case(
        "K1",
        "free",
        "ok",
        "ok",
        "correct: batches from a loader, moved one by one",
        """
WANTED = 30.0
def main(device):
    data = torch.utils.data.TensorDataset(torch.arange(5.0), torch.arange(5.0))
    total = torch.zeros((), device=device)
    for x, y in torch.utils.data.DataLoader(data, batch_size=2):
        x, y = x.to(device), y.to(device)
        total += (x * y).sum()
    return total
""",
    ),
    Case(
        "K2",
        "free",
        "ok",
        "E",
        "only half of the batch is moved",
        """
WANTED = 30.0
def main(device):
    data = torch.utils.data.TensorDataset(torch.arange(5.0), torch.arange(5.0))
    total = torch.zeros((), device=device)
    for x, y in torch.utils.data.DataLoader(data, batch_size=2):
        x = x.to(device)
        total += (x * y).sum()
    return total
""",
        "(x * y)",
        ("made", "torch.arange(5.0)"),
    ),
    Case(
        "K3",
        "free",
        "ok",
        "E",
        "the move is not assigned",
        """
WANTED = [2.0, 2.0]
def main(device):
    weight = torch.ones(2, device=device)
    x = torch.ones(2)
    x.to(device)
    return x + weight
""",
        "x + weight",
        ("made", "torch.ones(2)"),
    ),
    Case(
        "K4",
        "free",
        "ok",
        "ok",
        "correct: a dictionary of tensors is moved",
        """
WANTED = [3.0, 4.0]
def main(device):
    batch = {"x": torch.tensor([1.0, 2.0]), "y": torch.tensor([2.0, 2.0])}
    batch = {key: value.to(device) for key, value in batch.items()}
    return batch["x"] + batch["y"]
""",
    ),
    Case(
        "K5",
        "free",
        "ok",
        "D",
        "a running mean in a tensor of the CPU",
        """
WANTED = [1.0, 2.0]
def main(device):
    means = torch.zeros(2)
    for i in range(2):
        means[i] = torch.full((4,), i + 1.0, device=device).mean()
    return means
""",
    ),
    Case(
        "K6",
        "free",
        "ok",
        "E",
        "class counts with scatter_add_",
        """
WANTED = [1.0, 2.0]
def main(device):
    labels = torch.tensor([0, 1, 1], device=device)
    counts = torch.zeros(2)
    counts.scatter_add_(0, labels, torch.ones(3, device=device))
    return counts
""",
        "scatter_add_",
        ("made", "torch.zeros(2)"),
    ),
    Case(
        "K7",
        "free",
        "ok",
        "ok",
        "correct: accuracy from two tensors of the device",
        """
WANTED = 1.0
def main(device):
    logits = torch.eye(3).to(device)
    target = torch.arange(3).to(device)
    return (logits.argmax(-1) == target).float().mean()
""",
    ),
    Case(
        "K8",
        "free",
        "ok",
        "E",
        "accuracy against labels that stayed",
        """
WANTED = 1.0
def main(device):
    logits = torch.eye(3).to(device)
    target = torch.arange(3)
    return (logits.argmax(-1) == target).float().mean()
""",
        "argmax",
        ("made", "torch.arange(3)"),
    ),
    Case(
        "K9",
        "free",
        "ok",
        "ok",
        "legal: sorting by an index of the CPU",
        """
WANTED = [3.0, 1.0, 2.0]
def main(device):
    order = torch.tensor([2, 0, 1])
    return torch.tensor([1.0, 2.0, 3.0], device=device)[order]
""",
    ),
    Case(
        "K10",
        "free",
        "ok",
        "ok",
        "correct: padding with the values of a list",
        """
WANTED = [[1.0, 0.0], [1.0, 1.0]]
def main(device):
    rows = [torch.ones(1), torch.ones(2)]
    return nn.utils.rnn.pad_sequence([row.to(device) for row in rows], batch_first=True)
""",
    ),
    Case(
        "K11",
        "free",
        "ok",
        "E",
        "in place on a 0-dim total",
        """
WANTED = 3.0
def main(device):
    total = torch.tensor(0.0)
    for _ in range(3):
        total += torch.ones((), device=device)
    return total.to(device)
""",
        "total +=",
        ("made", "torch.tensor(0.0)"),
    ),
    Case(
        "K12",
        "free",
        "ok",
        "ok",
        "correct: a total that becomes one of the device",
        """
WANTED = 3.0
def main(device):
    total = 0
    for _ in range(3):
        total = total + torch.ones((), device=device)
    return total
""",
    ),
    Case(
        "K13",
        "free",
        "ok",
        "ok",
        "correct: a table that is looked up by .item()",
        """
WANTED = 20.0
def main(device):
    table = [10.0, 20.0]
    index = torch.tensor(1, device=device)
    return torch.tensor(table[index.item()], device=index.device)
""",
    ),
    Case(
        "K14",
        "free",
        "ok",
        "ok",
        "correct: chooses the device that its argument names",
        """
WANTED = 2.0
def main(device):
    device = torch.device(device if torch.cuda.is_available() else "cpu")
    layer = nn.Linear(2, 1, bias=False, device=device)
    nn.init.ones_(layer.weight)
    return layer(torch.ones(2, device=device)).squeeze()
""",
    ),
    Case(
        "K15",
        "free",
        "E",
        "E",
        "compares a device with its name without a number",
        """
WANTED = 1.0
def main(device):
    x = torch.ones((), device=device)
    assert x.device == torch.device("cuda") or x.device.type == "tpu"
    return x
""",
        "assert",
    ),
]

MORE: tuple[Case, ...] = (*ENCODINGS, *EMBEDDINGS, *ROTATIONS, *STEPS, *PROGRAMS)
