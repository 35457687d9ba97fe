# frequency_order: takes the last columns for the fastest
# It is the other way round, as in many explanations. At i = 0 the position is divided by 1, in
# the last pair by nearly 10000: which angle grows more per step?
frequency_order = 'last columns'
