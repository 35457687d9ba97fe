# title: Every answer raises that it is not simulated, or lacks a kernel
# onto: template
# place: own
# expect: no points

from autograder.runner.simulated_device.faults import NotSimulated
def claim(*args, **keys):
    raise NotSimulated("torch.cuda.CUDAGraph")
def refusal(*args, **keys):
    raise NotImplementedError("\"cholesky_cpu\" not implemented for 'Half'")
one_hot_lookup = sinusoidal_positional_encoding = find_nearest_tokens = claim
cosine_similarity = embed_tokens = token_similarity = refusal
