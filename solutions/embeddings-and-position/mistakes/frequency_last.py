# frequency_order: says that the last columns change fastest
# It is the other way round, as in many explanations. At i = 0 the position is divided by 1, in the
# last pair by nearly 10000: which angle grows more per step?
frequency_order = 'last columns'
