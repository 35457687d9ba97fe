# title: A value whose text has hundreds of megabytes
# onto: template
# place: first
# expect: no points

class Huge:
    def __repr__(self): return "x" * 300_000_000
    def _repr_html_(self): return "<b>" * 50_000_000
Huge()
