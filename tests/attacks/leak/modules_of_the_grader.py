# title: Modules of the trusted side are imported, or found loaded
# onto: template
# place: first
# expect: no points
# shows: tried

import importlib, os, sys
sys.path[:0] = [os.path.dirname("{solution}"), "{planted}", os.path.abspath(os.path.dirname("{solution}") + "/../..")]
importlib.invalidate_caches()
for name in ("assignment", "authoring", "classroom", "cli", "commands", "errors", "evidence", "execution", "files", "gradebook", "grading", "interop", "judging", "mutation", "notebook", "pipeline", "reports", "sandbox", "similarity", "student.grader", "tools", "web"):
    try:
        importlib.import_module("autograder." + name)
        print("{success}"[::-1])
    except ImportError: pass
if {m.split(".")[1] for m in sys.modules if m.startswith("autograder.")} - {"wire", "runner", "student"}:
    print("{success}"[::-1])
try:
    import solution; print("{success}"[::-1])
except ImportError: pass
print("tried")
