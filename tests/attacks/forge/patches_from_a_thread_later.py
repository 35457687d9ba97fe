# title: A thread waits, then patches comparisons and puts names in place
# onto: template
# place: first
# expect: no points
# shows: tried

import threading, time
def later():
    for _ in range(400):
        time.sleep(0.005)
        torch.allclose = torch.equal = lambda *a, **k: True
        for name in ("big_params", "pe", "one_hot"):
            get_ipython().user_ns[name] = type("Any", (), {"__eq__": lambda *a: True})()
threading.Thread(target=later, daemon=True).start()
print("tried")
