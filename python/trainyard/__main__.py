"""The command `trainyard`."""

import argparse
import sys

import trainyard


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with `arguments` (default: the process's) and returns its exit code."""
    parser = argparse.ArgumentParser(prog="trainyard", description=trainyard.__doc__)
    parser.add_argument("--version", action="version", version=f"trainyard {trainyard.__version__}")
    parser.parse_args(arguments)
    parser.print_help()
    return 0


if __name__ == "__main__":
    sys.exit(main())
