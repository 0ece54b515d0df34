"""The package name of first-generation NKI; only `neuronxcc.nki` is here."""
