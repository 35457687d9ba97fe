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
