# step: changes the old parameters
# Your new parameters are right, but `-=` changes the old arrays. Create new ones.
def step(parameters, gradients, rate):
    for old, g in zip(parameters, gradients):
        old -= rate * g
    return parameters
