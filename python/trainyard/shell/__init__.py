"""What shells are told of the command: completion scripts and the man page, from its parser."""
