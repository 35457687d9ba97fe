# parameter_count: 28 instead of 784
# An image has 28 x 28 = 784 pixels, so w1 has 784 rows.
image_parameters = 28 * 100 + 100 + 100 * 10 + 10
