# step: only the change
# You return the change. Add it to the old parameters.
def step(parameters, gradients, rate):
    return tuple(-rate * g for g in gradients)
