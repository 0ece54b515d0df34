"""The same property tests run every time: a failure on one machine is a failure on all."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
