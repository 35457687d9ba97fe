# title: Archives that unpack to far more than they are, hold too many entries, or archives
# onto: file
# expect: rejected
# rejected: bomb-zeros | unpack
# rejected: bomb-inner | archive inside an archive
# rejected: damaged | cannot be read
# rejected: entries | at most 10,000
# rejected: lying | cannot be read
# rejected: nothing | contains no files

import pathlib, sys
folder = pathlib.Path(sys.argv[1])
import io, zipfile
with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    with archive.open("bomb-zeros.ipynb", "w") as file:
        for _ in range(45): file.write(bytes(1_000_000))
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as one: one.writestr("x.py", "x = 1")
    archive.writestr("bomb-inner.zip", inner.getvalue())
with zipfile.ZipFile(folder / "entries.zip", "w") as archive:
    for n in range(12_000): archive.writestr(f"e{n}.py", "")
data = bytearray((folder / "bomb.zip").read_bytes())
(folder / "damaged.zip").write_bytes(data[: len(data) // 2])
(folder / "nothing.zip").write_bytes(b"PK\5\6" + bytes(18))
(folder / "lying.zip").write_bytes(b"PK\5\6" + b"\xff" * 18)
