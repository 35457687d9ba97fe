"""Which files code mentions."""

from __future__ import annotations

import pytest

from autograder.notebook.structure.opened_files import FileMention, mentions


@pytest.mark.parametrize(
    ("source", "path", "use"),
    [
        ("open('x.csv')", "x.csv", "reads"),
        ("open('x.csv', 'rb')", "x.csv", "reads"),
        ("open('x.csv', mode='w')", "x.csv", "writes"),
        ("open(file='x.csv')", "x.csv", "reads"),
        ("pd.read_csv('data/x.csv', sep=';')", "data/x.csv", "reads"),
        ("pd.read_csv(filepath_or_buffer='x.csv')", "x.csv", "reads"),
        ("np.load('x.npy')", "x.npy", "reads"),
        ("np.save('x.npy', a)", "x.npy", "writes"),
        ("torch.save(model, 'x.pt')", "x.pt", "writes"),
        ("Path('data', 'x.csv').read_text()", "data/x.csv", "reads"),
        ("(Path('data') / 'x.csv').open()", "data/x.csv", "reads"),
        ("Path('x.txt').open('w')", "x.txt", "writes"),
        ("Path('x.txt').write_text('a')", "x.txt", "writes"),
        ("open(os.path.join('data', 'x.csv'))", "data/x.csv", "reads"),
        ("D = Path('data')\nopen(D / 'x.csv')", "data/x.csv", "reads"),
        ("D = 'data'\nopen(f'{D}/x.csv')", "data/x.csv", "reads"),
        ("D = 'data/'\nopen(D + 'x.csv')", "data/x.csv", "reads"),
        ("json.load(open('x.json'))", "x.json", "reads"),
        ("with Image.open('a.png') as i: pass", "a.png", "reads"),
        ("zipfile.ZipFile('x.zip', 'w')", "x.zip", "writes"),
        ("glob.glob('data/*.csv')", "data/*.csv", "lists"),
        ("Path('data').glob('*.csv')", "data/*.csv", "lists"),
        ("ImageFolder(root='pictures')", "pictures", "lists"),
        ("import helper.part as h", "helper", "imports"),
        ("from helper import f", "helper", "imports"),
        ("%run tools.py", "tools.py", "reads"),
        ("%%time\nopen('x.csv')", "x.csv", "reads"),
        ("name = 'x.csv'", "x.csv", "names"),
        ("load(paths=['a.csv'])", "a.csv", "names"),
    ],
)
def test_a_path_that_is_written_in_the_code_is_found(source: str, path: str, use: str) -> None:
    assert FileMention(path, "cell 1", use) in mentions([("cell 1", source)])


@pytest.mark.parametrize(
    "source",
    [
        "open(name)",
        "name = 'x.csv'\nname = other\nopen(name)",
        "', '.join(['a', 'b'])",
        "from . import x",
        "not python at all (",
        "open('a' * 10)",
    ],
)
def test_what_is_known_only_at_run_time_is_no_read(source: str) -> None:
    assert [m for m in mentions([("cell 1", source)]) if m.use in ("reads", "lists")] == []


def test_names_go_from_cell_to_cell() -> None:
    found = mentions([("cell 1", "D = 'data'"), ("cell 2", "open(D + '/x.csv')")])
    assert FileMention("data/x.csv", "cell 2", "reads") in found


def test_a_long_chain_ends_nothing() -> None:
    mentions([("cell 1", "x = " + " + ".join(["'a'"] * 3000)), ("cell 2", "open('x.csv')")])
