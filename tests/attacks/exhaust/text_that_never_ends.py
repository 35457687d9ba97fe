# title: A text that never ends
# onto: template
# place: first
# expect: no points

class R:
    def __repr__(self):
        while True: pass
R()
