"""An accelerator that is not there: real numbers on the CPU, and CUDA's rules about devices."""
