"""Write scripts for the shells bash, zsh and fish, so that the Tab key completes commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def completion(shell: str, commands: Mapping[str, Sequence[str]]) -> str:
    """Write the completion script for a shell.

    commands: for each command, the words that may follow it.
    """
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _bash(commands: Mapping[str, Sequence[str]]) -> str:
    cases = "\n".join(f'    {name}) words="{" ".join(options)}" ;;' for name, options in commands.items())
    return f"""_eglantine() {{
  local words
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{" ".join(commands)}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="{" ".join(commands)}"
  local typed="${{COMP_WORDS[COMP_CWORD]}}"
  COMPREPLY=($(compgen -W "$words" -- "$typed") $(compgen -f -- "$typed"))
}}
complete -o filenames -F _eglantine eglantine
"""


def _zsh(commands: Mapping[str, Sequence[str]]) -> str:
    cases = "\n".join(
        f"    {name}) compadd -- {' '.join(options)}; _files ;;" for name, options in commands.items()
    )
    return f"""#compdef eglantine
_eglantine() {{
  if (( CURRENT == 2 )); then
    compadd -- {" ".join(commands)}
    return
  fi
  case "$words[2]" in
{cases}
  esac
}}
compdef _eglantine eglantine
"""


def _fish(commands: Mapping[str, Sequence[str]]) -> str:
    lines = [f"complete -c eglantine -n __fish_use_subcommand -a '{' '.join(commands)}'"]
    for name, words in commands.items():
        seen = f"complete -c eglantine -n '__fish_seen_subcommand_from {name}'"
        lines += [
            f"{seen} -l {word.lstrip('-')}" if word.startswith("-") else f"{seen} -a {word}" for word in words
        ]
    return "\n".join(lines) + "\n"
