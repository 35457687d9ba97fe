# parameter_count: only the first layer
# You count the first layer only. Add w2 and b2.
image_parameters = 784 * 100 + 100
