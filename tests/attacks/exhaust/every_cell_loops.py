# title: Every exercise's own cell loops: there is no end of fresh starts
# onto: template
# place: own
# expect: no points, stopped: budget

while True:
    try: sum(range(10**9))
    except BaseException: pass
