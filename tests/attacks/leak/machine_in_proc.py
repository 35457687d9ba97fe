# title: What the kernel says of the machine is read from /proc and /sys
# onto: template
# place: first
# expect: no points
# shows: nothing of the machine

import os
files = ["stat", "interrupts", "softirqs", "kallsyms", "version", "cmdline", "config.gz", "loadavg", "uptime", "diskstats", "modules", "iomem", "timer_list", "sys/kernel/random/boot_id", "sys/kernel/hostname", "pressure/cpu"]
found = []
for path in ["/proc/" + name for name in files] + ["/sys/class/net/lo/mtu", "/sys/class/dmi/id/sys_vendor", "/sys/kernel/mm/transparent_hugepage/enabled"]:
    for way in (path, "/proc/self/root" + path, "/proc/self/cwd/../.." + path):
        try:
            with open(way, "rb") as file:
                found += [way] * bool(file.read(1))
        except OSError:
            pass
print(found or "nothing of the machine")
