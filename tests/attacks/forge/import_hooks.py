# title: Later imports get modules of the student's making
# onto: template
# place: first
# expect: no points

import importlib.abc, importlib.machinery, sys, types
class Fake(types.ModuleType):
    def __getattr__(self, name): return lambda *a, **k: True
class Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None): return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec): return Fake(spec.name)
    def exec_module(self, module): pass
sys.meta_path.insert(0, Hook())
for name in [n for n in sys.modules if n.startswith(("autograder", "numpy.testing", "torch.testing"))]:
    sys.modules[name] = Fake(name)
import builtins
builtins.__import__ = lambda name, *a, **k: Fake(name)
print("tried")
