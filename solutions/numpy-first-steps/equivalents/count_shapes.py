# parameter_count: from the shapes
# Counted by NumPy.
shapes = [(784, 100), (100,), (100, 10), (10,)]
image_parameters = sum(np.zeros(shape).size for shape in shapes)
