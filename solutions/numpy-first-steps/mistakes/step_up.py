# step: up instead of down
# You add the gradient: the loss would rise. Subtract it.
def step(parameters, gradients, rate):
    return tuple(old + rate * g for old, g in zip(parameters, gradients))
