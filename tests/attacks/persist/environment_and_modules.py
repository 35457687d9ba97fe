# title: Environment, modules and built-ins as the hand-in before left them
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import builtins, os, sys
if "RED" in os.environ or hasattr(torch, "red") or hasattr(builtins, "red") or "red_module" in sys.modules: print("{success}"[::-1])
if hasattr(np, "red") or getattr(plt, "red", 0) or "red" in plt.rcParams["font.family"]: print("{success}"[::-1])
os.environ["RED"] = "1"; os.putenv("RED", "1")
torch.red = builtins.red = np.red = plt.red = True
sys.modules["red_module"] = sys
plt.rcParams["font.family"] = ["red"]
print("tried")
