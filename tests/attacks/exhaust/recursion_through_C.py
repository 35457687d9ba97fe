# title: Recursion through C
# onto: template
# place: first
# expect: no points

import sys
sys.setrecursionlimit(10**9)
class A:
    def __repr__(self): return repr([self])
repr(A())
