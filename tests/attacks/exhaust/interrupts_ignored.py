# title: A loop that takes every interrupt for a reason to go on
# onto: template
# place: first
# expect: no points, stopped: cpu or wall

while True:
    try:
        while True: pass
    except BaseException: pass
