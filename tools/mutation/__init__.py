"""Plants wrong lines in the C++ core and sees which the tests find (tools/mutants)."""
