"""The error of a command line, or of a call shaped like one, that cannot be meant."""


class UsageError(Exception):
    """The command line asks for something that does not exist.

    option: the name, in Python, of what it is about, where it is about one.
    """

    def __init__(self, text: str, option: str = "") -> None:
        super().__init__(text)
        self.option = option
