"""The part of PyTorch/XLA by which harnesses reach their device: here the host's memory."""
