"""Random JAX programs beside an evaluation in float64: tools/differential."""
