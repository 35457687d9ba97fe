# title: The command line of the process, with what the grader told the zygote
# onto: template
# place: first
# expect: no points
# shows: looked

import sys
text = open("/proc/self/cmdline").read() + repr(sys.argv) + repr(sys.orig_argv)
print("looked", len(text))
if "hidden" in text or "{results}".rsplit("/", 2)[0] in text or "solutions" in text:
    print("{success}"[::-1])
    print(text[:3000])
