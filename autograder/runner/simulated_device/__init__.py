"""A simulated accelerator: real numbers computed on the CPU, and CUDA's rules about devices."""
