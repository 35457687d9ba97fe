# title: Archives with outer, absolute and device names, and links
# onto: file
# expect: rejected, no points
# rejected: slip-out | points outside the archive
# rejected: slip-root | points outside the archive
# rejected: slip-dots | points outside the archive
# rejected: slip-win | points outside the archive
# rejected: slip-back | points outside the archive
# rejected: slip-link | is a link
# rejected: slip-device | empty
# read: slip-fine

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
import zipfile, stat
with zipfile.ZipFile(folder / "slip.zip", "w") as archive:
    for name in ("../../slip-out.py", "/slip-root.py", "slip-fine.py", "a/../../slip-dots.ipynb", "C:\\slip-win.py", "..\\..\\slip-back.py"):
        archive.writestr(name, "x = 1")
    link = zipfile.ZipInfo("slip-link.py"); link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(link, "/etc/passwd")
    device = zipfile.ZipInfo("slip-device.py"); device.create_system = 3
    device.external_attr = (stat.S_IFCHR | 0o666) << 16
    archive.writestr(device, "")
