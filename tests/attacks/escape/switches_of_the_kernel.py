# title: Switches under /proc and /sys, and devices, are opened for writing
# onto: template
# place: first
# expect: no points
# shows: tried

import os, stat
paths = ["/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sys/kernel/hostname",
         "/proc/{grader}/oom_score_adj", "/proc/{grader}/mem", "/proc/1/mem" if os.getpid() != 1 else "/proc/2/mem",
         "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs",
         "/sys/power/state", "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/kvm", "/dev/net/tun",
         "/dev/shm/../sda", "/proc/kcore"]
for path in paths:
    try: os.open(path, os.O_WRONLY); print(path); print("{success}"[::-1])
    except OSError: pass
for kind, number in ((stat.S_IFBLK, 8), (stat.S_IFCHR, 1)):
    try: os.mknod("/tmp/device", kind | 0o666, os.makedev(number, 1)); print("{success}"[::-1])
    except OSError: pass
print("tried")
