"""The error of a command line, or of a call shaped like one, that cannot be meant."""


class UsageError(Exception):
    """The command line asks for something that does not exist."""
