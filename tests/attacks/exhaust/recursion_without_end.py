# title: A function that calls itself without end, at any depth
# onto: template
# place: first
# expect: no points

import sys
sys.setrecursionlimit(10**9)
def deeper(n): return deeper(n + 1) + 1
deeper(0)
