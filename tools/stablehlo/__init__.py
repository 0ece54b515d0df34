"""The parts of tools/stablehlo_suite."""
