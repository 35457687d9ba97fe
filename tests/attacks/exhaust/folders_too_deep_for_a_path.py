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
