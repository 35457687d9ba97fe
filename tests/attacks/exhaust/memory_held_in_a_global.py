# title: Memory is held in a global name, so that later cells starve
# onto: solution
# place: first
# expect: any points
# must pass: parameter_count/big

held = bytearray(640 << 20)
