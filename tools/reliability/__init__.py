"""Faults that are made on purpose, and what must hold all the same."""
