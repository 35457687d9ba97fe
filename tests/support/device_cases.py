"""Student-like code and what becomes of it on a CPU and on a CUDA device: data, nothing else.

The verdicts are what a CUDA build of PyTorch 2.13 does. ``ok`` passes, ``E`` raises, ``D`` leaves
a result on the wrong device, ``V`` gives wrong numbers. ``at`` is text of the line that raises.
``origin`` is what is to be said of the odd tensor: its kind, and its name or the text that made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "E", "D", "V"]


@dataclass(frozen=True)
class Case:
    """``cpu`` and ``cuda``: the verdict when all is moved there, with an accelerator in reach."""

    id: str
    family: str
    cpu: Verdict
    cuda: Verdict
    note: str
    source: str
    at: str = ""
    origin: tuple[str, str] = ("", "")


def _fill(template: str, **holes: str) -> str:
    """A template with its holes <name> filled; a filling of several lines is indented alike."""
    lines = []
    for line in template.strip("\n").splitlines():
        name = line.strip()
        if name.startswith("<") and name.endswith(">"):
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + line for line in holes[name[1:-1]].splitlines()]
        else:
            for key, text in holes.items():
                line = line.replace(f"<{key}>", text)
            lines.append(line)
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------ a sinusoidal table as a function

_TABLE = """
def sinusoidal_pe(positions, d_model):
    <index>
    div = torch.exp(-math.log(10000.0) * i / d_model)
    ang = positions[:, None].float() * div
    <table>
    pe[:, 0::2] = torch.sin(ang)
    pe[:, 1::2] = torch.cos(ang)
    return pe
"""
_INDEX = "i = torch.arange(0, d_model, 2, device=positions.device)"
_ZEROS = "pe = torch.zeros(len(positions), d_model, device=positions.device)"
_ANGLES = """
def sinusoidal_pe(positions, d_model<more>):
    <body>
    return torch.stack([ang.sin(), ang.cos()], dim=-1).flatten(1)
"""
_ARANGE = "i = torch.arange(0, d_model, 2, device=positions.device)\n"


def _angles(body: str, more: str = "") -> str:
    return _fill(_ANGLES, body=body, more=more)


_A = [
    Case(
        "A0",
        "pe",
        "ok",
        "ok",
        "correct: device=positions.device",
        _fill(_TABLE, index=_INDEX, table=_ZEROS),
    ),
    Case(
        "A1",
        "pe",
        "ok",
        "E",
        "frequencies without a device",
        _fill(_TABLE, index="i = torch.arange(0, d_model, 2)", table=_ZEROS),
        "ang = positions",
        ("made", "torch.arange(0, d_model, 2)"),
    ),
    Case(
        "A2",
        "pe",
        "ok",
        "D",
        "the table without a device, filled by slices: silent copies",
        _fill(_TABLE, index=_INDEX, table="pe = torch.zeros(len(positions), d_model)"),
    ),
    Case(
        "A3",
        "pe",
        "ok",
        "ok",
        "correct: a 0-dim tensor on the CPU may mix",
        _angles(
            "base = torch.tensor(10000.0)\n"
            + _ARANGE
            + "ang = positions[:, None].float() / base ** (i / d_model)"
        ),
    ),
    Case(
        "A4",
        "pe",
        "ok",
        "E",
        "a NumPy function of a tensor on the device",
        """
def sinusoidal_pe(positions, d_model):
    i = np.arange(0, d_model, 2)
    ang = np.asarray(positions)[:, None] / 10000.0 ** (i / d_model)
    pe = np.zeros((len(positions), d_model), dtype=np.float32)
    pe[:, 0::2] = np.sin(ang)
    pe[:, 1::2] = np.cos(ang)
    return torch.from_numpy(pe).to(positions.device)
""",
        "np.asarray(positions)",
        ("argument", "positions"),
    ),
    Case(
        "A5",
        "pe",
        "ok",
        "ok",
        "correct: .cpu().numpy() and back",
        """
def sinusoidal_pe(positions, d_model):
    i = np.arange(0, d_model, 2)
    ang = positions.cpu().numpy()[:, None] / 10000.0 ** (i / d_model)
    pe = np.zeros((len(positions), d_model), dtype=np.float32)
    pe[:, 0::2] = np.sin(ang)
    pe[:, 1::2] = np.cos(ang)
    return torch.from_numpy(pe).to(positions.device)
""",
    ),
    Case(
        "A6",
        "pe",
        "E",
        "ok",
        "device='cuda' as a default",
        _angles(
            "i = torch.arange(0, d_model, 2, device=device)\n"
            "ang = positions[:, None].float() / 10000.0 ** (i / d_model)",
            ", device='cuda'",
        ),
        "ang = positions",
        ("made", "torch.arange(0, d_model, 2, device=device)"),
    ),
    Case(
        "A7",
        "pe",
        "ok",
        "ok",
        "correct: values read with .tolist(), .item(), print",
        """
def sinusoidal_pe(positions, d_model):
    print("positions:", positions, "max", positions.max().item())
    rows = []
    for p in positions.tolist():
        row = []
        for k in range(d_model):
            angle = p / 10000 ** ((k - k % 2) / d_model)
            row.append(math.sin(angle) if k % 2 == 0 else math.cos(angle))
        rows.append(row)
    return torch.tensor(rows, device=positions.device)
""",
    ),
    Case(
        "A8",
        "pe",
        "ok",
        "E",
        "one element, but one dimension: may not mix",
        _angles(
            "base = torch.tensor([10000.0])\n"
            + _ARANGE
            + "ang = positions[:, None].float() / torch.pow(base, i / d_model)"
        ),
        "torch.pow",
        ("made", "torch.tensor([10000.0])"),
    ),
    Case(
        "A9",
        "pe",
        "V",
        "V",
        "wrong numbers, devices right",
        _angles(_ARANGE + "ang = positions[:, None].float() / 10000.0 ** (2 * i / d_model)"),
    ),
    Case(
        "A10",
        "pe",
        "ok",
        "E",
        "a loop that joins to a tensor on the CPU",
        """
def sinusoidal_pe(positions, d_model):
    i = torch.arange(0, d_model, 2, device=positions.device)
    ang = positions[:, None].float() / 10000.0 ** (i / d_model)
    out = torch.empty(len(positions), 0)
    for k in range(d_model // 2):
        out = torch.cat([out, ang[:, k:k+1].sin(), ang[:, k:k+1].cos()], dim=1)
    return out
""",
        "torch.cat",
        ("made", "torch.empty(len(positions), 0)"),
    ),
    Case(
        "A11",
        "pe",
        "ok",
        "ok",
        "correct: made from the input",
        """
def sinusoidal_pe(positions, d_model):
    pe = positions.new_zeros(len(positions), d_model, dtype=torch.float32)
    i = torch.arange(0, d_model, 2).to(positions)
    base = torch.full_like(i, 10000.0, dtype=torch.float32)
    ang = torch.outer(positions.float(), base ** (-i / d_model))
    pe[:, 0::2], pe[:, 1::2] = ang.sin(), ang.cos()
    return pe
""",
    ),
]

# ------------------------------------------------------------ the table in a module

_ENCODING = """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=32):
        super().__init__()
        pos = torch.arange(max_len).unsqueeze(1).float()
        div = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        <init>
    def forward(self, x):
        <forward>
"""
_LAZY = """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=32):
        super().__init__()
        self.d, self.pe = d_model, None
    def forward(self, x):
        if <test>:
            pos = torch.arange(32, device=x.device)[:, None]
            i = torch.arange(0, self.d, 2, device=x.device)
            ang = pos / 10000 ** (i / self.d)
            self.pe = torch.stack([ang.sin(), ang.cos()], -1).flatten(1)
        return x + self.pe[: x.size(1)]
"""
_PLAIN = "self.pe = pe.unsqueeze(0)"
_BUFFER = "self.register_buffer('pe', pe.unsqueeze(0))"
_ADD = "return x + self.pe[:, :x.size(1)]"


def _encoding(init: str = _BUFFER, forward: str = _ADD) -> str:
    return _fill(_ENCODING, init=init, forward=forward)


_PE = ("attribute", "PositionalEncoding.pe")
_B = [
    Case("B0", "pemod", "ok", "ok", "correct: a buffer", _encoding()),
    Case("B1", "pemod", "ok", "E", "a plain attribute", _encoding(_PLAIN), "return x +", _PE),
    Case(
        "B2",
        "pemod",
        "ok",
        "ok",
        "correct: a plain attribute that is moved when used",
        _encoding(_PLAIN, "return x + self.pe[:, :x.size(1)].to(x.device)"),
    ),
    Case(
        "B3",
        "pemod",
        "ok",
        "E",
        "in a dictionary",
        _encoding(
            "self.cache = {'pe': pe.unsqueeze(0)}", "return x + self.cache['pe'][:, :x.size(1)]"
        ),
        "return x +",
        ("attribute", "PositionalEncoding.cache['pe']"),
    ),
    Case(
        "B4",
        "pemod",
        "E",
        "ok",
        ".cuda() written out",
        _encoding(_PLAIN, "return x + self.pe[:, :x.size(1)].cuda()"),
        "return x +",
        ("made", "self.pe[:, :x.size(1)].cuda()"),
    ),
    Case(
        "B5",
        "pemod",
        "ok",
        "ok",
        "correct: a buffer that is not saved",
        _encoding(
            "self.register_buffer('pe', pe[None], persistent=False)",
            "return x + self.pe[:, :x.size(1)].detach()",
        ),
    ),
    Case(
        "B6",
        "pemod",
        "E",
        "ok",
        "the device is chosen when the module is made",
        _encoding(
            "where = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
            "self.device = torch.device(where)\n"
            "self.pe = pe.unsqueeze(0).to(self.device)"
        ),
        "return x +",
        _PE,
    ),
    Case(
        "B7",
        "pemod",
        "ok",
        "ok",
        "correct: a parameter that is not learned",
        _encoding("self.pe = nn.Parameter(pe.unsqueeze(0), requires_grad=False)"),
    ),
    Case(
        "B8",
        "pemod",
        "ok",
        "ok",
        "correct: 0-dim attributes as limit and scale",
        _encoding(
            _BUFFER + "\nself.scale = torch.tensor(1.0)\nself.lim = torch.tensor(1e6)",
            "x = torch.where(x > self.lim, self.lim, x)\n"
            "return x * self.scale + self.pe[:, :x.size(1)]",
        ),
    ),
    Case(
        "B9",
        "pemod",
        "ok",
        "E",
        ".numpy() of a tensor on the device",
        _encoding(
            _BUFFER,
            "y = x.detach().numpy() + self.pe[:, :x.size(1)].numpy()\n"
            "return torch.from_numpy(y).to(x.device)",
        ),
        "y = x.detach()",
        ("argument", "x"),
    ),
    Case(
        "B10",
        "pemod",
        "ok",
        "ok",
        "correct: made when used, again for another device",
        _fill(_LAZY, test="self.pe is None or self.pe.device != x.device"),
    ),
    Case(
        "B11",
        "pemod2",
        "ok",
        "E",
        "made when used first, and kept when the module moves",
        _fill(_LAZY, test="self.pe is None"),
        "return x +",
        _PE,
    ),
]

# ------------------------------------------------------------ learned positions

_LEARNED = """
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.emb = nn.Embedding(max_len, d_model)
        <init>
    def forward(self, x):
        T = x.size(1)
        <forward>
"""


def _learned(forward: str, init: str = "pass") -> str:
    return _fill(_LEARNED, init=init, forward=forward)


_RANGE = ("made", "torch.arange(T)")
_ONE_HOT = "return x + F.one_hot({}, self.emb.num_embeddings).float() @ self.emb.weight"
_C = [
    Case(
        "C0",
        "learn",
        "ok",
        "ok",
        "correct",
        _learned("return x + self.emb(torch.arange(T, device=x.device))"),
    ),
    Case(
        "C1",
        "learn",
        "ok",
        "E",
        "positions without a device",
        _learned("return x + self.emb(torch.arange(T))"),
        "self.emb(",
        _RANGE,
    ),
    Case(
        "C2",
        "learn",
        "ok",
        "ok",
        "legal: an index on the CPU",
        _learned("return x + self.emb.weight[torch.arange(T)]"),
    ),
    Case(
        "C3",
        "learn",
        "ok",
        "ok",
        "correct: positions are a buffer",
        _learned(
            "return x + self.emb(self.position_ids[:T])",
            "self.register_buffer('position_ids', torch.arange(max_len))",
        ),
    ),
    Case(
        "C4",
        "learn",
        "ok",
        "E",
        "positions are a plain attribute",
        _learned(
            "return x + self.emb(self.position_ids[:T])",
            "self.position_ids = torch.arange(max_len)",
        ),
        "self.emb(self.position_ids",
        ("attribute", "LearnedPositionalEmbedding.position_ids"),
    ),
    Case(
        "C5",
        "learn",
        "ok",
        "E",
        "the table is a plain tensor, the index on the device",
        _learned(
            "return x + self.weight[torch.arange(T, device=x.device)]",
            "self.weight = self.emb.weight.detach().clone()",
        ),
        "self.weight[",
        ("attribute", "LearnedPositionalEmbedding.weight"),
    ),
    Case("C6", "learn", "ok", "ok", "legal: a slice", _learned("return x + self.emb.weight[:T]")),
    Case(
        "C7",
        "learn",
        "ok",
        "E",
        "index_select with an index on the CPU",
        _learned("return x + self.emb.weight.index_select(0, torch.arange(T))"),
        "index_select",
        _RANGE,
    ),
    Case(
        "C8",
        "learn",
        "ok",
        "E",
        "one-hot rows on the CPU",
        _learned(_ONE_HOT.format("torch.arange(T)")),
        "one_hot",
        _RANGE,
    ),
    Case(
        "C9",
        "learn",
        "ok",
        "ok",
        "correct: one-hot rows on the device",
        _learned(_ONE_HOT.format("torch.arange(T, device=x.device)")),
    ),
]

# ------------------------------------------------------------ token and position embeddings

_EMBEDDINGS = """
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab, max_len, d<more>):
        super().__init__()
        self.wte = nn.Embedding(vocab, d)
        self.wpe = nn.Embedding(max_len, d)
        self.drop = nn.Dropout(0.0)
        self.vocab = vocab
        <init>
    def forward(self, ids):
        B, T = ids.shape
        <forward>
"""
_POS = "pos = torch.arange(T, device=ids.device)\n"
_SUM = "return self.drop(self.wte(ids) + self.wpe(pos))"


def _embeddings(forward: str, init: str = "pass", more: str = "") -> str:
    return _fill(_EMBEDDINGS, init=init, forward=forward, more=more)


_D = [
    Case("D0", "gpt2", "ok", "ok", "correct", _embeddings(_POS + _SUM)),
    Case(
        "D1",
        "gpt2",
        "ok",
        "E",
        "positions without a device",
        _embeddings("return self.drop(self.wte(ids) + self.wpe(torch.arange(T)))"),
        "self.wpe(",
        _RANGE,
    ),
    Case(
        "D2",
        "gpt2",
        "ok",
        "ok",
        "correct: made, expanded, then moved",
        _embeddings("pos = torch.arange(T).unsqueeze(0).expand(B, T).to(ids.device)\n" + _SUM),
    ),
    Case(
        "D3",
        "gpt2",
        "ok",
        "E",
        "torch.LongTensor",
        _embeddings("pos = torch.LongTensor(list(range(T)))\n" + _SUM),
        "self.wpe(pos)",
        ("made", "torch.LongTensor(list(range(T)))"),
    ),
    Case(
        "D4",
        "gpt2",
        "E",
        "ok",
        "device='cuda' as a default of the constructor",
        _embeddings(
            "pos = torch.arange(T, device=self.device)\n" + _SUM,
            "self.device = device",
            ", device='cuda'",
        ),
        "self.wpe(pos)",
        ("made", "torch.arange(T, device=self.device)"),
    ),
    Case(
        "D5",
        "gpt2",
        "ok",
        "E",
        "multiplied by a mask on the CPU",
        _embeddings(
            _POS + "h = self.wte(ids) + self.wpe(pos)\nreturn self.drop(h * torch.ones(B, T, 1))"
        ),
        "torch.ones",
        ("made", "torch.ones(B, T, 1)"),
    ),
    Case(
        "D6",
        "gpt2",
        "ok",
        "E",
        "torch.equal of two devices",
        _embeddings(_POS + "assert torch.equal(pos, torch.arange(T))\n" + _SUM),
        "torch.equal",
        _RANGE,
    ),
    Case(
        "D7",
        "gpt2",
        "ok",
        "ok",
        "correct: branches on values",
        _embeddings(
            "if ids.min() < 0 or ids.max() >= self.vocab:\n"
            "    raise ValueError('bad token id')\n" + _POS + _SUM
        ),
    ),
    Case(
        "D8",
        "gpt2",
        "ok",
        "ok",
        "correct: asks for devices and types",
        _embeddings(
            "dev = next(self.parameters()).device\n"
            "assert dev == ids.device and dev.type == self.wte.weight.device.type\n"
            "assert ids.is_cuda == (dev.type == 'cuda') and type(ids) is torch.Tensor\n"
            "pos = torch.arange(T, device=dev)\n" + _SUM
        ),
    ),
    Case(
        "D9",
        "gpt2",
        "ok",
        "E",
        "compared with a tensor on the CPU",
        _embeddings(
            _POS + "m = (ids[..., None] == self.specials).any(-1)\n"
            "h = self.wte(ids) + self.wpe(pos)\nreturn self.drop(h + 0.0 * m[..., None])",
            "self.specials = torch.tensor([0, 1])",
        ),
        "== self.specials",
        ("attribute", "GPT2Embeddings.specials"),
    ),
    Case(
        "D10",
        "gpt2",
        "ok",
        "ok",
        "correct: torch.as_tensor and torch.tensor with a device",
        _embeddings(
            "pos = torch.as_tensor(list(range(T)), device=ids.device)\n"
            "s = torch.tensor([1.0], device=ids.device)\n"
            "return self.drop(s * self.wte(ids) + self.wpe(pos))"
        ),
    ),
]

# ------------------------------------------------------------ rotary positions

_ROTARY = """
class RoPE(nn.Module):
    def __init__(self, dim, max_len=32):
        super().__init__()
        inv = 1.0 / 10000 ** (torch.arange(0, dim, 2).float() / dim)
        <init>
    def forward(self, q):
        T = q.size(-2)
        <angles>
        x1, x2 = q[..., 0::2], q[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], -1).flatten(-2)
"""
_COMPLEX = """
class RoPE(nn.Module):
    def __init__(self, dim, max_len=32):
        super().__init__()
        inv = 1.0 / 10000 ** (torch.arange(0, dim, 2).float() / dim)
        f = torch.outer(torch.arange(max_len).float(), inv)
        <init>
    def forward(self, q):
        qc = torch.view_as_complex(q.float().reshape(*q.shape[:-1], -1, 2))
        return torch.view_as_real(qc * self.freqs[: q.size(-2)]).flatten(-2).type_as(q)
"""
_OUTER = "f = torch.outer(torch.arange(T, device=q.device).float(), self.inv)\n"
_SPLIT = "cos, sin = f.cos(), f.sin()"
_INV = "self.register_buffer('inv', inv)"


def _rotary(angles: str = _OUTER + _SPLIT, init: str = _INV) -> str:
    return _fill(_ROTARY, init=init, angles=angles)


_E = [
    Case("E0", "rope", "ok", "ok", "correct: frequencies are a buffer", _rotary()),
    Case(
        "E1",
        "rope",
        "ok",
        "E",
        "frequencies are a plain attribute",
        _rotary(init="self.inv = inv"),
        "torch.outer",
        ("attribute", "RoPE.inv"),
    ),
    Case(
        "E2",
        "rope",
        "ok",
        "E",
        "positions without a device, einsum",
        _rotary("f = torch.einsum('i,j->ij', torch.arange(T).float(), self.inv)\n" + _SPLIT),
        "torch.einsum",
        _RANGE,
    ),
    Case(
        "E3",
        "ropec",
        "ok",
        "E",
        "complex table as a plain attribute",
        _fill(_COMPLEX, init="self.freqs = torch.polar(torch.ones_like(f), f)"),
        "view_as_real",
        ("attribute", "RoPE.freqs"),
    ),
    Case(
        "E4",
        "ropec",
        "ok",
        "ok",
        "correct: complex table as a buffer",
        _fill(_COMPLEX, init="self.register_buffer('freqs', torch.polar(torch.ones_like(f), f))"),
    ),
    Case(
        "E5",
        "rope",
        "ok",
        "ok",
        "correct: float16 on the way, not in the result",
        _rotary(
            "f = torch.arange(T, device=q.device)[:, None] * self.inv\n"
            "half = f.cos().to(torch.float16).to(q.dtype)\n" + _SPLIT
        ),
    ),
    Case(
        "E6",
        "rope",
        "ok",
        "E",
        "tables in a list",
        _rotary(
            "cos, sin = self.tabs[0][:T], self.tabs[1][:T]",
            "f = torch.outer(torch.arange(max_len).float(), inv)\nself.tabs = [f.cos(), f.sin()]",
        ),
        "torch.stack",
        ("attribute", "RoPE.tabs[0]"),
    ),
]

# ------------------------------------------------------------ a small model and a training step

_MODEL = """
class Model(nn.Module):
    def __init__(self, vocab=11, max_len=32, d=8):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(max_len, d)
        self.qkv = nn.Linear(d, 3 * d)
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab)
        <init>
    def forward(self, ids):
        B, T = ids.shape
        h = self.tok(ids) + self.pos(torch.arange(T, device=ids.device))
        <pre>
        q, k, v = self.qkv(h).chunk(3, -1)
        s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        mask = torch.tril(torch.ones(T, T<mask_device>)).bool()
        s = <masked>
        h = self.ln(h + s.softmax(-1) @ v)
        return self.head(h)

def train_step(model, ids, device):
    model = model.to(device)
    <move>
    opt = <optimizer>(model.parameters(), lr=0.1)
    total = <total>
    logits = model(ids)
    loss = F.cross_entropy(logits[:, :-1].reshape(-1, logits.size(-1)), ids[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    <step>
    <count>
    return <result>
"""
_RIGHT = {
    "init": "pass",
    "pre": "pass",
    "mask_device": ", device=ids.device",
    "masked": "s.masked_fill(~mask, float('-inf'))",
    "move": "ids = ids.to(device)",
    "optimizer": "torch.optim.SGD",
    "total": "0.0",
    "step": "opt.step()",
    "count": "total += loss.item()",
    "result": "total, logits",
}


def model(**changed: str) -> str:
    """The small model and its training step, with some of its lines changed."""
    return _fill(_MODEL, **{**_RIGHT, **changed})


_F = [
    Case("F0", "pipe", "ok", "ok", "correct", model()),
    Case(
        "F1",
        "pipe",
        "ok",
        "E",
        "causal mask without a device",
        model(mask_device=""),
        "masked_fill",
        ("made", "torch.ones(T, T)"),
    ),
    Case(
        "F2",
        "pipe",
        "ok",
        "E",
        "the model is moved, the batch is not",
        model(move="pass"),
        "self.tok(ids)",
        ("argument", "ids"),
    ),
    Case(
        "F3",
        "pipe",
        "ok",
        "E",
        "in place on a 0-dim tensor of the CPU",
        model(
            total="torch.tensor(0.0)", count="total += loss.detach()", result="total.item(), logits"
        ),
        "total += loss",
        ("made", "torch.tensor(0.0)"),
    ),
    Case(
        "F4",
        "pipe",
        "ok",
        "E",
        ".numpy() of the loss",
        model(count="total += float(loss.detach().numpy())"),
        "loss.detach().numpy()",
        ("unknown", ""),
    ),
    Case(
        "F5",
        "pipe",
        "ok",
        "E",
        "layers in a plain list",
        model(init="self.extra = [nn.Linear(d, d)]", pre="h = h + 0.0 * self.extra[0](h)"),
        "self.extra[0](h)",
        ("layer", "Model.extra[0].bias"),
    ),
    Case(
        "F6",
        "pipe",
        "ok",
        "ok",
        "correct: torch.where with a 0-dim value",
        model(masked="torch.where(mask, s, torch.tensor(float('-inf')))"),
    ),
    Case(
        "F7",
        "pipe",
        "ok",
        "E",
        "torch.where with a 1-dim value",
        model(masked="torch.where(mask, s, torch.tensor([float('-inf')]))"),
        "torch.where",
        ("made", "torch.tensor([float('-inf')])"),
    ),
    Case(
        "F8",
        "pipe",
        "ok",
        "ok",
        "correct: a sum of 0-dim tensors, not in place",
        model(
            total="torch.tensor(0.0)",
            count="total = total + loss.detach()",
            result="total.item(), logits",
        ),
    ),
    Case(
        "F9",
        "pipe",
        "ok",
        "ok",
        "correct: fused attention, printed loss",
        model(
            pre="q, k, v = self.qkv(h).chunk(3, -1)\n"
            "heads = q[:, None], k[:, None], v[:, None]\n"
            "o = F.scaled_dot_product_attention(*heads, is_causal=True)[:, 0]\n"
            "return self.head(self.ln(h + o))",
            masked="s",
            count="print('loss', loss)\ntotal += float(loss)",
        ),
    ),
    Case(
        "F10",
        "pipe",
        "ok",
        "E",
        "attention bias as a plain attribute",
        model(
            init="self.bias = torch.full((max_len, max_len), float('-inf')).triu(1)",
            masked="s + self.bias[:T, :T]",
        ),
        "self.bias",
        ("attribute", "Model.bias"),
    ),
    Case(
        "F11",
        "pipe",
        "ok",
        "E",
        "joined with a tensor on the CPU",
        model(
            init="self.zero = torch.zeros(1, 1, d)",
            pre="more = self.zero.expand(B, 1, -1)\nh = torch.cat([h, more], 1)[:, :T]",
        ),
        "torch.cat",
        ("attribute", "Model.zero"),
    ),
    Case(
        "F12",
        "pipe",
        "ok",
        "ok",
        "legal: a mask on the CPU as an index, written through",
        model(pre="m = torch.zeros(B, T, dtype=torch.bool)\nh = h.clone()\nh[m] = 0.0"),
    ),
    Case(
        "F13",
        "pipe",
        "ok",
        "ok",
        "correct: AdamW, clipping, a deep copy, a state dict",
        model(
            optimizer="torch.optim.AdamW",
            move="import copy\nids = ids.to(device)\nema = copy.deepcopy(model)\n"
            "ema.load_state_dict(model.state_dict())",
            step="nn.utils.clip_grad_norm_(model.parameters(), 1.0)\nopt.step()\n"
            "ema.to(device)(ids)",
        ),
    ),
]

CASES: tuple[Case, ...] = (*_A, *_B, *_C, *_D, *_E, *_F)
