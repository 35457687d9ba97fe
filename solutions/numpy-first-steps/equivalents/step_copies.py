# step: on copies
# Copies are changed in place.
def step(parameters, gradients, rate):
    new = [array.copy() for array in parameters]
    for array, gradient in zip(new, gradients):
        array -= rate * gradient
    return new
