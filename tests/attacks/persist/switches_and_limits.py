# title: Switches of libraries and limits of the process as the hand-in before left them
# onto: template
# place: first
# expect: no points
# twice: yes
# shows: tried

import locale, os, resource, signal, sys, threading
if torch.get_default_dtype() != torch.float32 or not torch.is_grad_enabled() or np.geterr()["divide"] == "raise": print("{success}"[::-1])
if sys.getrecursionlimit() == 77777 or resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 33: print("{success}"[::-1])
if signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN or threading.active_count() > 5 or os.umask(0o77) == 0o77: print("{success}"[::-1])
torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); np.seterr(all="raise")
sys.setrecursionlimit(77777); signal.signal(signal.SIGUSR1, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_NOFILE, (33, 33))
print("tried")
