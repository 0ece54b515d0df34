"""The kernel language NKI on Trainyard's simulated machine."""
