# parameter_count: without the last bias
# The bias of the last layer, b2, is missing.
image_parameters = 784 * 100 + 100 + 100 * 10
