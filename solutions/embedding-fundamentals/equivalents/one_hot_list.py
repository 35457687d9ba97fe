# one_hot_encode: a plain list
# A list of Python integers.
def one_hot_encode(index, size, on=1, off=0):
    return [on if place == index else off for place in range(size)]
