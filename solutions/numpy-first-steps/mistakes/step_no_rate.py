# step: without the rate
# You subtract the whole gradient. Multiply it by the rate.
def step(parameters, gradients, rate):
    return tuple(old - g for old, g in zip(parameters, gradients))
