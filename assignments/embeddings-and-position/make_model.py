"""Makes a tiny GPT-2 that loads offline under the name `gpt2`, for trying the stretch exercise.

It is a real GPT-2 by its files (configuration, safetensors weights, byte-level BPE
tokenizer) in a Hugging Face hub cache, and a toy by its content: some sixty words in
groups, each word one token with and without a blank before it, and a token table in which
the words of a group lie close together. Nothing is downloaded and nothing is trained.

    make(Path("cache"))        then run with HF_HOME=cache HF_HUB_OFFLINE=1
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

WIDTH = 16
POSITIONS = 64
SEED = 20
NAMES = ("gpt2", "openai-community/gpt2")  # one model under its short and its full name
COMMIT = "0123456789abcdef0123456789abcdef01234567"  # a cache entry is named by a commit
END = "<|endoftext|>"

GROUPS = {
    "royal": "king queen prince princess throne crown royal",
    "people": "man woman boy girl child person people",
    "animals": "dog cat horse cow bird fish mouse lion",
    "colours": "red blue green grey gray black white",
    "numbers": "one two three four five six seven",
    "vehicles": "car bus train truck bike boat plane",
    "home": "chair sofa couch table bed house door",
    "time": "day night week month year hour time",
    "small": "the of and in on to is",
}
TWINS = (("grey", "gray"),)  # one vector for both; the first has the smaller id
TIED = (("sofa", "couch"),)  # two neighbours of "chair" with one vector


def make(folder: Path) -> None:
    """Write the model into `folder` as a hub cache; takes a second, gives the same bytes."""
    vocabulary, merges = _tokens()
    tensors = _weights(vocabulary)
    for name in NAMES:
        cache = folder / "hub" / ("models--" + name.replace("/", "--"))
        snapshot = cache / "snapshots" / COMMIT
        snapshot.mkdir(parents=True, exist_ok=True)
        (cache / "refs").mkdir(exist_ok=True)
        (cache / "refs" / "main").write_text(COMMIT)
        _write_tokenizer(snapshot, vocabulary, merges)
        _write_json(snapshot / "config.json", _config(len(vocabulary)))
        save_file(tensors, snapshot / "model.safetensors", metadata={"format": "pt"})
        (snapshot / "model.safetensors").chmod(0o644)  # others read the cache too


# ------------------------------------------------------------------ tokenizer


def _byte_letters() -> list[str]:
    """GPT-2's printable letter for each byte: itself, or a code point from 256 on."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    extra = iter(range(256, 512))
    return [chr(byte) if byte in shown else chr(next(extra)) for byte in range(256)]


def _words() -> list[str]:
    blank = _byte_letters()[32]
    plain = [word for group in GROUPS.values() for word in group.split()]
    return [form for word in plain for form in (word, blank + word)]


def _tokens() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Ids of all tokens and the merges, in order, that turn each word into one token."""
    ranks: dict[tuple[str, str], int] = {}
    for word in _words():
        pieces = _split(word, ranks)
        while len(pieces) > 1:
            ranks[pieces[0], pieces[1]] = len(ranks)
            pieces = [pieces[0] + pieces[1], *pieces[2:]]
    letters = _byte_letters()
    in_id_order = sorted(letters) + [left + right for left, right in ranks] + [END]
    assert all(len(_split(word, ranks)) == 1 for word in _words())
    return {token: number for number, token in enumerate(in_id_order)}, list(ranks)


def _split(word: str, ranks: dict[tuple[str, str], int]) -> list[str]:
    """Byte-pair encoding: merge the pair of lowest rank until no pair is known."""
    pieces = list(word)
    while True:
        pairs = [pair for pair in pairwise(pieces) if pair in ranks]
        if not pairs:
            return pieces
        best = min(pairs, key=ranks.__getitem__)
        at = next(i for i in range(len(pieces)) if tuple(pieces[i : i + 2]) == best)
        pieces[at : at + 2] = [best[0] + best[1]]


def _write_tokenizer(
    folder: Path, vocabulary: dict[str, int], merges: list[tuple[str, str]]
) -> None:
    (folder / "merges.txt").write_text(
        "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in merges), "utf-8"
    )
    _write_json(folder / "vocab.json", vocabulary)
    byte_level = {"add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    special = {
        "id": vocabulary[END],
        "content": END,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": "",
        "end_of_word_suffix": "",
        "fuse_unk": False,
        "byte_fallback": False,
        "vocab": vocabulary,
        "merges": [f"{left} {right}" for left, right in merges],
    }
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [special],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", **byte_level},
        "post_processor": {"type": "ByteLevel", **byte_level},
        "decoder": {"type": "ByteLevel", **byte_level},
        "model": model,
    }
    _write_json(folder / "tokenizer.json", document)
    settings = {
        "tokenizer_class": "GPT2Tokenizer",
        "model_max_length": POSITIONS,
        "add_prefix_space": False,
        "bos_token": END,
        "eos_token": END,
        "unk_token": END,
        "clean_up_tokenization_spaces": False,
    }
    _write_json(folder / "tokenizer_config.json", settings)


# ------------------------------------------------------------------ weights


def _table(vocabulary: dict[str, int]) -> np.ndarray:
    """The token table [V, 16]: a word is its group's direction plus a little of its own."""
    rng = np.random.default_rng(SEED)
    table = rng.standard_normal((len(vocabulary), WIDTH))
    directions = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))[0][: len(GROUPS)]
    blank = _byte_letters()[32]
    for direction, group in zip(directions, GROUPS.values(), strict=True):
        for word in group.split():
            vector = direction + 0.12 * rng.standard_normal(WIDTH)
            for form in (word, blank + word):
                own = vector + 0.04 * rng.standard_normal(WIDTH)
                table[vocabulary[form]] = rng.uniform(0.5, 3.0) * own
    for first, second in (*TWINS, *TIED):
        for before in ("", blank):
            table[vocabulary[before + second]] = table[vocabulary[before + first]]
    return table * 0.1


def _weights(vocabulary: dict[str, int]) -> dict[str, torch.Tensor]:
    rng = np.random.default_rng(SEED + 1)
    shapes = {
        "wpe.weight": (POSITIONS, WIDTH),
        "h.0.attn.c_attn.weight": (WIDTH, 3 * WIDTH),
        "h.0.attn.c_proj.weight": (WIDTH, WIDTH),
        "h.0.mlp.c_fc.weight": (WIDTH, 4 * WIDTH),
        "h.0.mlp.c_proj.weight": (4 * WIDTH, WIDTH),
    }
    tensors = {"wte.weight": torch.from_numpy(_table(vocabulary)).float().contiguous()}
    for name, shape in shapes.items():
        tensors[name] = torch.from_numpy(0.02 * rng.standard_normal(shape)).float().contiguous()
        if name.startswith("h."):
            tensors[name.replace(".weight", ".bias")] = torch.zeros(shape[1])
    for norm in ("h.0.ln_1", "h.0.ln_2", "ln_f"):
        tensors[f"{norm}.weight"], tensors[f"{norm}.bias"] = torch.ones(WIDTH), torch.zeros(WIDTH)
    return tensors


def _config(vocabulary: int) -> dict[str, object]:
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "vocab_size": vocabulary,
        "n_positions": POSITIONS,
        "n_ctx": POSITIONS,
        "n_embd": WIDTH,
        "n_layer": 1,
        "n_head": 2,
        "layer_norm_epsilon": 1e-5,
        "initializer_range": 0.02,
        "attn_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "resid_pdrop": 0.0,
        "bos_token_id": vocabulary - 1,
        "eos_token_id": vocabulary - 1,
    }


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")


def main(arguments: Iterable[str]) -> None:
    """`python make_model.py FOLDER`."""
    (folder,) = arguments
    make(Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
