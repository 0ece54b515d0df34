"""Published kernels simulated in time only, beside their published times on real machines."""
