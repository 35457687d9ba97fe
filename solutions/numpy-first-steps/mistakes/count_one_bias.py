# parameter_count: one number for each bias
# A bias has one number for each column of its layer: 100 and 10.
image_parameters = 784 * 100 + 1 + 100 * 10 + 1
