# step: parameter by parameter
# Each parameter on its own line.
def step(parameters, gradients, rate):
    w1, b1, w2, b2 = parameters
    g1, h1, g2, h2 = gradients
    return (w1 - g1 * rate, b1 - h1 * rate, w2 - g2 * rate, b2 - h2 * rate)
