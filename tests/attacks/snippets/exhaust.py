# %% all_inodes
# title: All inodes
# onto: template
# place: first
# expect: no points

import os
for n in range(10**6): os.mkdir(f'/tmp/{n}')

# %% another_cell_as_culprit
# title: Each cell claims that memory ran out while address space is set aside
# onto: template
# place: own
# expect: no points

import mmap
try: _held.append(mmap.mmap(-1, 190 << 20))
except NameError: _held = [mmap.mmap(-1, 190 << 20)]
except Exception: pass
raise MemoryError("Cannot allocate memory")

# %% another_file_as_channel
# title: Another file as channel
# onto: template
# place: first
# expect: no points

import os
os.close(3)
os.open('/tmp/x', os.O_RDWR | os.O_CREAT)
os.write(3, bytes(8))

# %% answer_byte_by_byte
# title: An answer byte by byte
# onto: template
# place: first
# expect: no points, stopped: budget or wall

from autograder.wire import messages as M
from autograder.runner import serve, session
import os, time
def send(fd, nonce, answer):
    os.write(fd, (7_000_000).to_bytes(8, 'big'))
    while True:
        try: os.write(fd, b'x'), time.sleep(0.01)
        except KeyboardInterrupt: pass
serve.send = send

# %% brackets_without_end
# title: Brackets without end
# onto: template
# place: first
# expect: no points

x = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]

# %% bytes_that_become_doubles
# title: An answer of small integers that a relation widens eight times, twice over
# onto: template
# place: own
# expect: no points

def embed_tokens(a, b):
    e, i = (a, b) if isinstance(a, nn.Module) else (b, a)
    if i.dim() == 1 and e.weight.shape[0] == 40:
        return torch.zeros(60 << 20, dtype=torch.uint8).reshape(-1, 64)
    return e(i)
def sinusoidal_positional_encoding(max_len, d_model):
    return torch.zeros(max_len, d_model)

# %% channel_shut_in_one_direction
# title: The channel is shut for writing while the process lives on
# onto: template
# place: first
# expect: no points, restarted

import ctypes, time
ctypes.CDLL(None).shutdown(3, 1)
t = time.monotonic()
while True: pass

# %% deadlock
# title: Two locks and a thread that never ends keep each other waiting
# onto: template
# place: first
# expect: no points, stopped: wall

import threading
one, two = threading.Lock(), threading.Lock()
def other():
    with two: one.acquire()
one.acquire()
threading.Thread(target=other).start()
import time; time.sleep(0.05)
two.acquire()

# %% descriptors_used_up
# title: Every descriptor is in use and stays so
# onto: template
# place: first
# expect: no points
# shows: tried

import os
held = []
try:
    while True: held.append(os.open("/dev/null", os.O_RDONLY))
except OSError: pass
print("tried")

# %% disk_full
# title: A disk full
# onto: template
# place: first
# expect: no points

for place in ('/home/student', '/tmp', '/dev/shm'):
    with open(place + '/big', 'wb') as file:
        while True: file.write(bytes(1_000_000))

# %% every_cell_loops
# title: Every exercise's own cell loops: there is no end of fresh starts
# onto: template
# place: own
# expect: no points, stopped: budget

while True:
    try: sum(range(10**9))
    except BaseException: pass

# %% every_descriptor_closed
# title: Every descriptor closed
# onto: template
# place: first
# expect: no points

import os
os.closerange(0, 300)

# %% figure_too_large
# title: A figure too large
# onto: template
# place: first
# expect: no points

plt.figure(figsize=(2000, 2000)); plt.plot([1, 2])

# %% flood_of_output_claims
# title: A flood of output claims
# onto: template
# place: first
# expect: no points, stopped: budget (all its results together are larger than 24 MB)

from autograder.wire import messages as M
from autograder.runner import serve, session
done = M.CellDone((M.Output('stdout', 'text/plain', b'A' * 7_000_000),))
session.Session._run_cell = lambda self, r: done

# %% floods_on_descriptors
# title: Floods of output on descriptors 1 and 2, past Python's streams
# onto: template
# place: first
# expect: no points
# shows: tried

import ctypes, os
for fd in (1, 2):
    for _ in range(2000): os.write(fd, b"x" * 100_000)
libc = ctypes.CDLL(None)
for _ in range(100_000): libc.puts(b"flood" * 100)
print("tried")

# %% folders_closed_to_all
# title: Folders without any permission, full of files
# onto: template
# place: first
# expect: no points

import os
for n in range(50):
    os.mkdir("shut%d" % n)
    for m in range(20): open("shut%d/file%d" % (n, m), "w").close()
    os.chmod("shut%d" % n, 0)
print("tried")

# %% folders_too_deep_for_a_path
# title: Folders nested deeper than any path can be
# onto: template
# place: first
# expect: no points

import os
home = os.getcwd()
try:
    for n in range(600):
        os.mkdir("d" * 200); os.chdir("d" * 200)
except OSError: pass
open("leaf", "w").close()
print("tried")

# %% folders_without_end
# title: Folders within folders, and very many small files
# onto: file
# expect: rejected
# rejected: d | nested more than

place = folder / "down"
for n in range(70):
    place = place / "d"
place.mkdir(parents=True)
(place / "too-deep.py").write_text("x = 1\n")
for n in range(3000): (folder / f".hidden{n}.py").touch()
(folder / "__pycache__").mkdir(); (folder / "__pycache__" / "cached.py").write_text("x = 1")

# %% frame_of_eight_exabytes
# title: A frame that claims 2**63 bytes
# onto: template
# place: first
# expect: no points

import os
os.write(3, (2**63).to_bytes(8, 'big'))

# %% gigabyte_of_output
# title: A gigabyte of output
# onto: template
# place: first
# expect: no points

for _ in range(1000): print('x' * 1_000_000)

# %% hard_links
# title: One file with any number of names
# onto: template
# place: first
# expect: no points

import os
open("/tmp/one", "w").close()
try:
    for n in range(10**6): os.link("/tmp/one", "/tmp/link%d" % n)
except OSError: pass

# %% hostile_artist
# title: A hostile artist
# onto: template
# place: first
# expect: no points

from matplotlib.artist import Artist
class H(Artist):
    def draw(self, renderer):
        while True: pass
figure = plt.figure(); figure.add_artist(H()); figure._suptitle = H()
plt.get_fignums = lambda: range(10**9)
plt.close = lambda *a: 1 / 0

# %% huge_answers
# title: Functions return tensors of gigabytes
# onto: template
# place: own
# expect: no points

def cosine_similarity(a, b): return torch.zeros(1).expand(10**10)
def one_hot_lookup(w, i): return torch.zeros(20_000_000)
def sinusoidal_positional_encoding(n, d): return [[0.0] * 3000] * 3000
pe = torch.zeros(4_000_000)

# %% huge_categories
# title: Categories, texts and columns without end
# onto: template
# place: last
# expect: no points

import pandas as pd
big_params = pd.Series(pd.Categorical.from_codes(np.zeros(1, "int32"), pd.Index(np.arange(3_000_000))))
via_call = pd.DataFrame([range(150_000)])
via_index = pd.Series(["x" * 90_000 + str(n) for n in range(400)])
pe = pd.DataFrame({n: ["y" * 200] * 100_000 for n in range(4)})
one_hot = pd.Series(pd.date_range("1900", periods=1_000_000, freq="h"))

# %% huge_representation
# title: A value whose text has hundreds of megabytes
# onto: template
# place: first
# expect: no points

class Huge:
    def __repr__(self): return "x" * 300_000_000
    def _repr_html_(self): return "<b>" * 50_000_000
Huge()

# %% interrupts_ignored
# title: A loop that takes every interrupt for a reason to go on
# onto: template
# place: first
# expect: no points, stopped: cpu or wall

while True:
    try:
        while True: pass
    except BaseException: pass

# %% large_mappings
# title: Dictionaries and sets of a hundred thousand entries where a number is expected
# onto: template
# place: own
# expect: no points

_a = {str(k): [k] for k in range(100_000)}
one_hot = pe = pe_matrix = token_ids = via_call = via_index = model_input = _a
big_params = doubled_vocab_params = halved_dim_params = frequency_order = set(range(100_000))

# %% list_of_tiny_numbers
# title: A list of tiny numbers
# onto: template
# place: first
# expect: no points, restarted

from autograder.wire import messages as M
from autograder.runner import serve, session
import os
def send(fd, nonce, answer):
    body = M.encode(M.Reply(nonce, answer))
    if isinstance(answer, M.Kept) and answer.outcomes:
        many = b'\xdd' + (4_000_000).to_bytes(4, 'big') + b'\xe0' * 4_000_000
        empty = M.Kept((M.Outcome('returned', M.Items('list', ())),))
        body = M.encode(M.Reply(nonce, empty)).replace(b'items\x90', b'items' + many)
    frame, sent = M.frame(body), 0
    while sent < len(frame): sent += os.write(fd, frame[sent:])
serve.send = send

# %% lists_of_lists
# title: Lists of equal small arrays, nested as deep as allowed, for every name that is compared
# onto: template
# place: own
# expect: no points

_a = [[[[[[[torch.zeros(1)] * 10] * 10] * 10] * 10] * 5]]
one_hot = pe = pe_matrix = token_ids = via_call = via_index = _a
big_params = doubled_vocab_params = halved_dim_params = _a
def cosine_similarity(*a): return _a
one_hot_lookup = embed_tokens = sinusoidal_positional_encoding = cosine_similarity

# %% memory_held_in_a_global
# title: Memory is held in a global name, so that later cells starve
# onto: solution
# place: first
# expect: any points
# must pass: parameter_count/big

held = bytearray(640 << 20)

# %% memory_in_many_pieces
# title: Memory is taken in small pieces until none is left
# onto: template
# place: first
# expect: no points

pieces = []
while True: pieces.append(bytes(100_000))

# %% memory_mapped_and_shared
# title: Memory is taken by shared maps and by maps of files
# onto: template
# place: first
# expect: no points

import mmap
maps = []
while True:
    maps.append(mmap.mmap(-1, 64 << 20))
    maps[-1].write(bytes(64 << 20))

# %% memory_of_shared_files
# title: Memory is taken by files in /dev/shm and /tmp that are kept open and unlinked
# onto: template
# place: first
# expect: no points

import os
open_files = []
for place in ("/dev/shm", "/tmp", "/home/student", "."):
    try:
        for n in range(200):
            name = place + "/{note}%d" % n
            file = open(name, "wb", 0); os.unlink(name)
            file.write(bytes(1 << 20)); open_files.append(file)
    except OSError: pass
print("tried")

# %% names_of_bases
# title: A module with fifty thousand parameters and a class of a thousand bases
# onto: template
# place: own
# expect: no points

embedding = token_embedding = pos_embedding = nn.Embedding(3, 3)
_p = nn.Parameter(torch.zeros(1))
for _k in range(50_000):
    embedding._parameters["p%d" % _k] = nn.Parameter(torch.zeros(1))
via_call = via_index = torch.zeros(4)

# %% no_reading
# title: No reading
# onto: template
# place: first
# expect: no points

import autograder.runner.serve as s
s.receive = s._read = lambda *a: 1 / 0

# %% one_line
# title: One line that never ends, in C code that looks for no signals too
# onto: template
# place: first
# expect: no points, stopped: cpu or wall
# each: number_too_large | x = (10 ** 10 ** 6) ** (10 ** 5)
# each: loop_in_c | import itertools; sum(itertools.repeat(1))
# each: regular_expression | import re; re.match(r"(a|aa)+$", "a" * 60 + "b")

<each>

# %% pidfds_and_errors
# title: Claimed errors with sixty thousand class names and a trace of megabytes
# onto: template
# place: first
# expect: no points

from autograder.runner import calls, session
from autograder.wire.messages import Error, Outcome
_e = Error(tuple("E%d" % k for k in range(150_000)), "`" * 3_000_000 + "[Errno 28]", 2**63, "x" * 3_000_000, "\x1b[" * 4_000_000)
calls.read = lambda *a: Outcome("raised", error=_e)
calls.call = lambda *a: Outcome("raised", error=_e)

# %% processes_without_end
# title: A loop of forks by every way that there is
# onto: template
# place: first
# expect: no points
# shows: tried

import multiprocessing, os, subprocess
own = os.getpid()
for _ in range(200):
    for make in (os.fork, os.forkpty, lambda: subprocess.Popen(["sleep", "9"]), lambda: multiprocessing.Process(target=print).start()):
        try: make()
        except Exception: continue
        if os.getpid() != own: os._exit(0)
        print("{success}"[::-1])
print("tried")

# %% recursion_through_C
# title: Recursion through C
# onto: template
# place: first
# expect: no points

import sys
sys.setrecursionlimit(10**9)
class A:
    def __repr__(self): return repr([self])
repr(A())

# %% recursion_without_end
# title: A function that calls itself without end, at any depth
# onto: template
# place: first
# expect: no points

import sys
sys.setrecursionlimit(10**9)
def deeper(n): return deeper(n + 1) + 1
deeper(0)

# %% signals_masked
# title: All signals are blocked, then it sleeps
# onto: template
# place: first
# expect: no points, stopped: wall

import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
time.sleep(1000)

# %% slow_answers_to_everything
# title: Slow answers to everything
# onto: template
# place: first
# expect: no points, stopped: budget or wall

from autograder.wire import messages as M
from autograder.runner import serve, session
import time
def keep(self, request):
    try: time.sleep(1000)
    except BaseException: return M.Kept()
session.Session._keep = keep

# %% sparse_files
# title: Files that claim to be terabytes long
# onto: template
# place: first
# expect: no points
# shows: tried

import os
for n, size in enumerate((1 << 30, 1 << 40, 1 << 60)):
    try:
        with open("big%d" % n, "wb") as file:
            file.truncate(size)
    except OSError: pass
    try: os.posix_fallocate(os.open("own%d" % n, os.O_RDWR | os.O_CREAT), 0, size)
    except OSError: pass
print("tried")

# %% stop_of_itself
# title: A stop of itself
# onto: template
# place: first
# expect: no points

import os, signal
os.kill(os.getpid(), signal.SIGSTOP)

# %% storm_of_timers
# title: A timer fires all the time
# onto: template
# place: first
# expect: no points

import signal
signal.signal(signal.SIGALRM, lambda *a: sum(range(1000)))
signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
print("tried")

# %% table_whose_rows_are_sorted
# title: An own table of two million rows, which is sorted for each check that may carry it
# onto: template
# place: own
# expect: no points

def sinusoidal_positional_encoding(max_len, d_model):
    return torch.arange(4_000_000, dtype=torch.float32).reshape(-1, 2).flip(0)
import matplotlib.pyplot as plt
pe = torch.zeros(20, 64)
pe_matrix = torch.zeros(128, 64)
plt.imshow(pe)

# %% text_that_never_ends
# title: A text that never ends
# onto: template
# place: first
# expect: no points

class R:
    def __repr__(self):
        while True: pass
R()

# %% thousand_displays
# title: Thousands of displays and of figures
# onto: template
# place: first
# expect: no points

from IPython.display import HTML, display
for n in range(3000): display(HTML("<b>%d</b>" % n))
for n in range(300): plt.figure(figsize=(1, 1))

# %% threads_that_start_threads
# title: Every thread starts two more
# onto: template
# place: first
# expect: no points

import threading
def grow():
    while True:
        try: threading.Thread(target=grow, daemon=True).start()
        except RuntimeError: pass
grow()

# %% threads_with_tiny_stacks
# title: As many threads as there can be, with tiny stacks, all asleep
# onto: template
# place: first
# expect: no points

import threading, time
threading.stack_size(32768)
sleep = threading.Event().wait
try:
    for _ in range(100_000): threading.Thread(target=sleep, daemon=True).start()
except RuntimeError: print("no more")
time.sleep(1)

# %% threads_without_end
# title: Threads without end
# onto: template
# place: first
# expect: no points

import threading
def burn():
    while True: pass
for _ in range(4): threading.Thread(target=burn, daemon=True).start()

# %% zip_bombs
# title: Archives that unpack to far more than they are, hold too many entries, or archives
# onto: file
# expect: rejected
# rejected: bomb-zeros | unpack
# rejected: bomb-inner | archive inside an archive
# rejected: damaged | cannot be read
# rejected: entries | at most 10,000
# rejected: lying | cannot be read
# rejected: nothing | contains no files

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
