# title: Names of the machine in the lists of mounts, groups, limits and sockets
# onto: template
# place: first
# expect: no points
# shows: looked

for name in ("environ", "cmdline", "maps", "mountinfo", "cgroup", "limits", "net/unix", "net/tcp", "status", "stat", "sched", "io", "oom_score", "loginuid", "attr/current", "fdinfo/3", "wchan", "stack", "timerslack_ns", "numa_maps", "uid_map", "mountstats"):
    try:
        text = open("/proc/self/" + name).read()
        print("looked", name, len(text), repr(text[:300] if name != "mountinfo" else text[:4000]))
    except OSError as e:
        print(name, e)
