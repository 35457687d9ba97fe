# %% conflict_marks
# title: Marks of an unsolved merge
# onto: file
# expect: rejected
# rejected: conflict-nb | merge conflict

whole = notebook([code("x = 1")])
(folder / "conflict-nb.ipynb").write_text(whole[:20] + "\n<<<<<<< HEAD\n" + whole[20:] + "\n=======\n>>>>>>> theirs\n")

# %% duplicates
# title: Cells and exercises that stand many times, keys twice, cell ids all alike
# onto: file
# expect: no points
# read: dup-cells
# read: dup-keys

tagged = code("embedding = 1", id="same")
tagged["metadata"] = {"exercise": "embedding_lookup", "locked": True, "tags": ["solution"]}
(folder / "dup-cells.ipynb").write_text(notebook([tagged] * 50))
(folder / "dup-keys.ipynb").write_text('{"cells": [], "nbformat": 4, "cells": [{"cell_type": "code", "cell_type": "code", "source": "x = 1", "source": "y = 2"}]}')

# %% encodings
# title: Byte order marks, UTF-16 and UTF-32, old code pages, lone surrogates, NUL
# onto: file
# expect: rejected, no points
# rejected: enc-noise | damaged JSON
# read: enc-utf-8-sig
# read: enc-utf-16
# read: enc-utf-16-le
# read: enc-utf-32
# read: enc-cp1252
# read: enc-surrogate
# read: enc-noise2

text = notebook([code("x = 'caf\u00e9'")]).encode().decode("unicode_escape")
for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"):
    (folder / f"enc-{name}.ipynb").write_bytes(text.encode(name))
(folder / "enc-surrogate.ipynb").write_text(notebook([code("x = '\ud800'\0\r\n\ufeff")]))
(folder / "enc-noise.ipynb").write_bytes(bytes(range(256)) * 50)
(folder / "enc-noise2.py").write_bytes(bytes(range(1, 256)) * 50)

# %% names_that_disappear
# title: A name in an archive that holds a NUL, and a hand-in beside a link to it
# onto: file
# expect: rejected, no points
# read: gone-�nul
# read: gone-linked
# rejected: another-gone | is a link

import zipfile
cell = {"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": []}
text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
archive = folder / "class.zip"
with zipfile.ZipFile(archive, "w") as made:
    made.writestr("gone-!nul.ipynb", text)
archive.write_bytes(archive.read_bytes().replace(b"gone-!nul", b"gone-\0nul"))
(folder / "gone-linked.ipynb").write_text(text)
(folder / "another-gone.ipynb").symlink_to("gone-linked.ipynb")

# %% nested_too_deep
# title: Lists and objects nested a hundred thousand deep
# onto: file
# expect: rejected
# rejected: deep-plain | nested too deeply
# rejected: deep-source | nested too deeply
# rejected: deep-object | nested too deeply
# rejected: deep-many | more than 3,000,000

deep = "[" * 100_000 + "]" * 100_000
(folder / "deep-plain.ipynb").write_text(deep)
(folder / "deep-source.ipynb").write_text('{"cells": [{"cell_type": "code", "source": ' + deep + '}], "nbformat": 4}')
(folder / "deep-object.ipynb").write_text('{"a":' * 100_000 + "1" + "}" * 100_000)
(folder / "deep-many.ipynb").write_text('{"cells": [' + "[]," * 3_100_000 + "[]]}")

# %% not_json
# title: Files that are no JSON: damaged, cut off, other formats
# onto: file
# expect: rejected
# rejected: nj-damaged | damaged JSON
# rejected: nj-cut | is cut off
# rejected: nj-page | web page
# rejected: nj-empty | empty
# rejected: nj-blank | empty
# rejected: nj-list | not a notebook
# rejected: nj-number | not a notebook
# rejected: nj-nothing | not a notebook
# rejected: nj-cellless | no list 'cells'
# rejected: nj-zip | zip archive
# rejected: nj-pdf | a PDF
# rejected: nj-gzip | gzip

whole = notebook([code("x = 1")])
files = {"damaged": whole.replace(":", ";"), "cut": whole[:60], "page": "<html></html>", "empty": "", "blank": " \n\0\0",
         "list": "[1]", "number": "5", "nothing": "null", "cellless": "{}"}
for name, text in files.items(): (folder / f"nj-{name}.ipynb").write_text(text)
for name, data in {"zip": b"PK\3\4rest", "pdf": b"%PDF-1.7", "gzip": b"\x1f\x8b\x08"}.items():
    (folder / f"nj-{name}.ipynb").write_bytes(data)

# %% nothing_to_run
# title: No cells, no code, another language
# onto: file
# expect: rejected
# rejected: none-cells | no cells
# rejected: none-code | none of its 1 cells has code
# rejected: none-python | not for Python

(folder / "none-cells.ipynb").write_text(notebook([]))
(folder / "none-code.ipynb").write_text(notebook([{"cell_type": "markdown", "source": "x", "metadata": {}}]))
(folder / "none-python.ipynb").write_text(notebook([code("1")], metadata={"kernelspec": {"name": "ir", "language": "R"}}))

# %% numbers_that_are_none
# title: NaN, infinities and integers of a hundred thousand digits in metadata
# onto: file
# expect: rejected, no points
# rejected: nn-digits | not a notebook
# read: nn-nan
# read: nn-exponent

(folder / "nn-nan.ipynb").write_text('{"cells": [{"cell_type": "code", "source": "x = 1", "metadata": {"n": NaN, "i": -Infinity}}], "metadata": {"exercise": NaN}, "nbformat": NaN}')
(folder / "nn-digits.ipynb").write_text('{"cells": [], "nbformat": ' + "9" * 100_000 + "}")
(folder / "nn-exponent.ipynb").write_text('{"cells": [{"cell_type": "code", "source": "x = 1", "execution_count": 1e999999}], "nbformat": 4e400}')

# %% outputs_that_claim
# title: Outputs, attachments and metadata that claim results
# onto: file
# expect: no points
# read: claims-outputs

claim = {"output_type": "execute_result", "data": {"text/plain": "56/56", "text/html": "<script>1</script>"}, "metadata": {}, "execution_count": 1}
cell = code("x = 1", outputs=[claim] * 3, attachments={"x.svg": {"image/svg+xml": "<svg onload=1>"}})
cell["metadata"] = {"nbgrader": {"grade": True, "points": 56, "locked": False}, "autograder": {"score": 56}, "otter": {"tests": []}}
(folder / "claims-outputs.ipynb").write_text(notebook([cell], metadata={"autograder": {"score": 56, "seed": 1}, "widgets": {"state": {}}}))

# %% same_names
# title: Files whose students have the same name, in other folders and letters
# onto: file
# expect: no points
# read: SAME-name
# read: same-name (a)
# read: same-name (b)
# read: same-name (c)
# read: same-name-2

for where in ("a", "b", "c"):
    (folder / where).mkdir(); (folder / where / "same-name.py").write_text(f"# %%\nx = '{where}'\n")
(folder / "a" / "SAME-name.py").write_text("x = 1\n")
(folder / "a" / "same-name.ipynb").write_text(notebook([code("x = 2")]))

# %% scripts
# title: Scripts with quotes, marks and headers that never end
# onto: file
# expect: no points
# read: py-quotes
# read: py-header
# read: py-mark
# read: py-brackets
# read: py-null

(folder / "py-quotes.py").write_text(('"' * 3 + "\n# %%\n") * 200)
(folder / "py-header.py").write_text("# ---\n" + "# jupyter: {{{{\n" * 150 + "x = 1\n")
(folder / "py-mark.py").write_text("# %% " + "a=[" * 5_000 + "\nx = 1\n")
(folder / "py-brackets.py").write_text("# %%\nx = " + "(" * 5000 + "\n# %%\n" + "-" * 5_000 + "1\n# %%\n" + "x." * 5_000 + "x\n")
(folder / "py-null.py").write_bytes(b"# %%\nx = 1\0\n# %%\n\x0c\x1a\n")

# %% too_much
# title: Too many cells, a huge file
# onto: file
# expect: rejected
# rejected: huge-count | cells; at most
# rejected: huge-marks | cells; at most
# rejected: huge-file | larger than 50,000,000 bytes
# rejected: huge-script | larger than 5,000,000 bytes

(folder / "huge-count.ipynb").write_text(notebook([code("x = 1")] * 6000))
(folder / "huge-marks.py").write_text("# %%\nx = 1\n" * 6000)
with open(folder / "huge-file.ipynb", "wb") as file: file.truncate(60_000_000); file.seek(0); file.write(b"{")
with open(folder / "huge-script.py", "wb") as file: file.write(b"x = 1\n" * 900_000)

# %% wrong_types
# title: Every part of a notebook has a wrong type
# onto: file
# expect: no points
# read: odd-types
# read: odd-format3

odd = [1, None, "x", [], {}, {"cell_type": 7, "source": {}}, {"cell_type": [], "source": [1, None, ["x"]]},
       {"cell_type": "code", "source": None, "metadata": []}, {"cell_type": "code", "source": ["x", 5, "= 1"], "metadata": {"exercise": ["pe"]}},
       {"cell_type": "code", "metadata": {"exercise": "../../x", "locked": "yes"}, "source": "y = 1", "outputs": "none"}]
(folder / "odd-types.ipynb").write_text(json.dumps({"cells": odd, "metadata": [], "nbformat": "four", "nbformat_minor": {}}))
(folder / "odd-format3.ipynb").write_text(json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1"}, 5]}, 7], "nbformat": 3}))
