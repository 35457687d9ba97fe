# title: Folders within folders, and very many small files
# onto: file
# expect: rejected
# rejected: d | nested more than

import pathlib, sys
folder = pathlib.Path(sys.argv[1])
place = folder / "down"
for n in range(70):
    place = place / "d"
place.mkdir(parents=True)
(place / "too-deep.py").write_text("x = 1\n")
for n in range(3000): (folder / f".hidden{n}.py").touch()
(folder / "__pycache__").mkdir(); (folder / "__pycache__" / "cached.py").write_text("x = 1")
