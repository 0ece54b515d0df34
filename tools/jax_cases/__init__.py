"""What tools/jax_suite is made of."""
