"""Exit codes of every subcommand; docs/reference/command.md is made from MEANINGS."""

OK = 0
FINDINGS = 1
USAGE = 2
INVALID_INPUT = 3
DOES_NOT_FIT = 4
FAULT = 5
SCRIPT_FAILED = 6
INTERNAL = 70
CANNOT_WRITE = 74
TIMED_OUT = 124
INTERRUPTED = 130
CLOSED_PIPE = 141
TERMINATED = 143

MEANINGS = {
    OK: "all went well",
    FINDINGS: "`check` found an error (or a finding that `--fail-on` names), a `--fail-if` "
    "condition is met, or a page is out of date",
    USAGE: "the command line is wrong, or the script ran no kernel",
    INVALID_INPUT: "the kernel, program, machine file or override is wrong; the message has "
    "the rule; `cost` needs a figure that nobody has published, and names it",
    DOES_NOT_FIT: "over capacity, or not supported by the machine or by Trainyard",
    FAULT: "the running program broke the machine's rules: unwritten read, race, deadlock",
    SCRIPT_FAILED: "the script itself raised an exception, has a syntax error, or exited with "
    "a code "
    "other than 0",
    INTERNAL: "a bug of Trainyard",
    CANNOT_WRITE: "a file or stdout could not be written; no half-written file is left",
    TIMED_OUT: "the `--timeout` expired; otherwise as for Ctrl-C",
    INTERRUPTED: "Ctrl-C; the results of earlier kernel calls are kept",
    CLOSED_PIPE: "the reader of the standard output closed it",
    TERMINATED: "SIGTERM; otherwise as for Ctrl-C",
}

CAPACITY_LABELS = (
    "sbuf.capacity",
    "psum.capacity",
    "hbm.capacity",
    "semaphores.capacity",
    "registers.capacity",
    "serve.fit",
)
