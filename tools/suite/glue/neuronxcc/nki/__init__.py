"""Only `typing` of the first kernel language; kernels written in it are not supported."""
