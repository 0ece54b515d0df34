"""See torch_xla."""
