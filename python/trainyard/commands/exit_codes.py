"""Exit codes of every subcommand; the same list is in docs/reference/command.md."""

OK = 0
FINDINGS = 1  # a check found something
USAGE = 2  # wrong arguments
INVALID_INPUT = 3  # the kernel, program or machine file is wrong
DOES_NOT_FIT = 4  # over capacity, or something the machine does not support
FAULT = 5  # the running program broke the machine's contract
SCRIPT_FAILED = 6  # the script itself raised an exception
INTERNAL = 70  # our bug
INTERRUPTED = 130  # Ctrl-C

CAPACITY_LABELS = (
    "sbuf.capacity",
    "psum.capacity",
    "hbm.capacity",
    "semaphores.capacity",
    "registers.capacity",
)
