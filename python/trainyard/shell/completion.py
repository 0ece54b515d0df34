"""Completion scripts for bash, zsh and fish. They hold every word and start no program."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trainyard.shell.parsed import Argument, Command, each

_HELP = 72  # characters of an explanation


def bash(root: Command) -> str:
    """For bash: `complete` with a function that looks words up by command."""
    commands = list(each(root))
    steps = [
        f"      '{' '.join(one.path)}:{action.path[-1]}') path='{' '.join(action.path)}' ;;"
        for one in commands
        for action in one.actions
    ]
    values, free = [], []
    for one in commands:
        for option in one.options:
            cases = "|".join(f"'{' '.join(one.path)} {flag}'" for flag in option.flags)
            if option.words:
                values.append(f"    {cases}) words={_quoted(' '.join(option.words))} ;;")
            elif option.value:
                free.append(f"    {cases}) return ;;")
    words = [
        f"      '{' '.join(one.path)}') words={_quoted(' '.join(_plain_words(one)))} ;;"
        for one in commands
    ]
    options = [
        f"      '{' '.join(one.path)}') words={_quoted(' '.join(_flags(one)))} ;;"
        for one in commands
    ]
    return "\n".join(
        [
            "# bash completion of trainyard, made by: trainyard completion bash",
            "_trainyard() {",
            "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
            '  local path="" words="" i',
            "  for ((i = 1; i < COMP_CWORD; i++)); do",
            '    case "$path:${COMP_WORDS[i]}" in',
            *steps,
            "    esac",
            "  done",
            "  COMPREPLY=()",
            '  case "$path $prev" in',
            *values,
            *free,
            "  *)",
            '    if [[ $cur == -* ]]; then case "$path" in',
            *options,
            '    esac; else case "$path" in',
            *words,
            "    esac; fi ;;",
            "  esac",
            '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
            "}",
            "complete -o bashdefault -o default -F _trainyard trainyard",
            "",
        ]
    )


def zsh(root: Command) -> str:
    """For zsh: one function for each command, with explanations."""
    lines = [
        "#compdef trainyard",
        "# zsh completion of trainyard, made by: trainyard completion zsh",
    ]
    for one in reversed(list(each(root))):
        lines += [
            f"{_function(one)}() {{",
            "  local context state state_descr line",
            "  typeset -A opt_args",
        ]
        specs = [_zsh_option(option) for option in one.options]
        if one.actions:
            known = " ".join(f"{a.path[-1]}\\:{_zsh_quoted(_short(a.help))}" for a in one.actions)
            specs += [f"'1:command:(({known}))'", "'*::argument:->arguments'"]
        else:
            specs += [_zsh_positional(positional) for positional in one.positionals]
        lines.append("  _arguments -C \\\n    " + " \\\n    ".join(specs) + " && return")
        if one.actions:
            cases = (f"    {action.path[-1]}) {_function(action)} ;;" for action in one.actions)
            lines += ['  [[ $state == arguments ]] && case "$words[1]" in', *cases, "  esac"]
        lines.append("}")
    return "\n".join([*lines, '_trainyard "$@"', ""])


def fish(root: Command) -> str:
    """For fish: one `complete` for each word."""
    lines = [
        "# fish completion of trainyard, made by: trainyard completion fish",
        "complete -c trainyard -f",
    ]
    for one in each(root):
        where = _fish_condition(one)
        for action in one.actions:
            words = f"-a {action.path[-1]} -d {_quoted(_short(action.help))}"
            lines.append(f"complete -c trainyard {where} {words}")
        for option in one.options:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            value = ""
            if option.words:
                value = f" -x -a {_quoted(' '.join(option.words))}"
            elif option.value:
                value = " -r -F" if option.takes_file else " -x"
            text = _quoted(_short(option.help))
            lines.append(f"complete -c trainyard {where} {flags}{value} -d {text}")
        words = _plain_words(one) if not one.actions else []
        if words:
            lines.append(f"complete -c trainyard {where} -a {_quoted(' '.join(words))}")
        if any(positional.takes_file for positional in one.positionals):
            lines.append(f"complete -c trainyard {where} -F")
    return "\n".join([*lines, ""])


SHELLS: dict[str, Callable[[Command], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


def _plain_words(command: Command) -> list[str]:
    """What may stand where no option does: actions, or known values of positional arguments."""
    known = [action.path[-1] for action in command.actions]
    return known + [word for one in command.positionals for word in one.words]


def _flags(command: Command) -> Iterable[str]:
    return (flag for option in command.options for flag in option.flags)


def _short(text: str) -> str:
    """The first words of an explanation, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _HELP else f"{line[: _HELP - 3].rsplit(' ', 1)[0]} ..."


def _quoted(text: str) -> str:
    """One word of a shell, whatever is in it. fish reads this form too."""
    return "'" + text.replace("\\", "\\\\").replace("'", "'\\''") + "'"


def _zsh_quoted(text: str) -> str:
    """An explanation inside of a list of _arguments, which stands in single quotes itself."""
    escaped = "".join(f"\\{c}" if c in '\\":`$' else c for c in text.replace("'", ""))
    return f'"{escaped}"'


def _zsh_text(text: str) -> str:
    """A piece of a specification of _arguments in single quotes."""
    escaped = "".join(f"\\{c}" if c in "[]:\\" else c for c in text)
    return escaped.replace("'", "'\\''")


def _zsh_action(argument: Argument) -> str:
    name = _zsh_text(argument.name)
    if argument.words:
        return f":{name}:({' '.join(argument.words)})"
    return f":{name}:{'_files' if argument.takes_file else ' '}"


def _zsh_option(option: Argument) -> str:
    text = _zsh_text(_short(option.help))
    value = _zsh_action(option) if option.value else ""
    made = [f"'*{flag}[{text}]{value}'" for flag in option.flags]
    return " ".join(made)


def _zsh_positional(positional: Argument) -> str:
    if positional.takes_file and positional.words:
        return f"'*:{_zsh_text(positional.name)}:_files'"
    return f"'*{_zsh_action(positional)}'"


def _function(command: Command) -> str:
    return "_".join(("_trainyard", *(part.replace("-", "_") for part in command.path)))


def _fish_condition(command: Command) -> str:
    if not command.path:
        return "-n __fish_use_subcommand"
    seen = [f"__fish_seen_subcommand_from {part}" for part in command.path]
    if command.actions:
        known = " ".join(action.path[-1] for action in command.actions)
        seen.append(f"not __fish_seen_subcommand_from {known}")
    return f"-n {_quoted('; and '.join(seen))}"
