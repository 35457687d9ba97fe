# title: Links, pipes, sockets and folders that are called like notebooks
# onto: file
# expect: rejected
# rejected: odd-link | link
# rejected: odd-secret | link
# rejected: odd-dangling | link
# rejected: odd-loop | link
# rejected: odd-pipe | not a regular file
# rejected: odd-pipe2 | not a regular file
# rejected: odd-pipe3 | not a regular file
# rejected: odd-socket | not a regular file
# rejected: odd-folder | this is a folder
# rejected: odd-full | not a regular file

import pathlib, sys
folder = pathlib.Path(sys.argv[1])
import os, socket
(folder / "odd-link.ipynb").symlink_to("/etc/passwd")
(folder / "odd-secret.py").symlink_to("/proc/self/environ")
(folder / "odd-loop").symlink_to(folder)
(folder / "odd-dangling.zip").symlink_to("/nowhere")
for name in ("odd-pipe.ipynb", "odd-pipe2.py", "odd-pipe3.zip"): os.mkfifo(folder / name)
os.chdir(folder); socket.socket(socket.AF_UNIX).bind("odd-socket.ipynb")
(folder / "odd-folder.ipynb").mkdir()
try: os.mknod(folder / "odd-full.py", 0o020666, os.makedev(1, 7))
except OSError: os.mkfifo(folder / "odd-full.py")
