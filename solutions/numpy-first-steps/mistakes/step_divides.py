# step: divided by the rate
# You divide the gradient by the rate. Multiply.
def step(parameters, gradients, rate):
    return tuple(old - g / rate for old, g in zip(parameters, gradients))
