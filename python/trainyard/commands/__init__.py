"""The subcommands of `trainyard`: each module parses its arguments and makes one call.

A module has NAME, HELP, arguments(parser) and run(options) -> exit code.
"""

from trainyard.commands import (
    cc_test,
    check,
    claims,
    compare,
    compile,
    completion,
    cost,
    diff,
    explain,
    fit,
    graph,
    isa,
    machine,
    plan,
    profile,
    report,
    run,
    serve,
    setup,
    time,
    tune,
    view,
)

ALL = (
    run,
    time,
    check,
    explain,
    profile,
    report,
    view,
    diff,
    tune,
    compile,
    machine,
    isa,
    graph,
    fit,
    compare,
    cost,
    plan,
    serve,
    claims,
    cc_test,
    setup,
    completion,
)
