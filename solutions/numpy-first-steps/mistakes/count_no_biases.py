# parameter_count: without the biases
# You count the two tables only. The biases b1 and b2 hold 100 and 10 numbers more.
image_parameters = 784 * 100 + 100 * 10
