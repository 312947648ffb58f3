"""Writes the documentation of all rules: ``python -m tilescope_trace.rules.docs FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from .catalog import RULES
from .rule import Rule


def page(rule: Rule) -> str:
    """The Markdown page of one rule."""
    parts = [f"# {rule.code} {rule.name}", f"{rule.summary}. Severity: {rule.severity}.", rule.doc.rstrip()]
    if rule.example:
        parts.append(f"## Example\n\n```python\n{rule.example.rstrip()}\n```")
    sections = {"Why it hurts": rule.why, "How to fix it": rule.fix, "When to ignore it": rule.ignore}
    parts += [f"## {title}\n\n{section.rstrip()}" for title, section in sections.items() if section]
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """The Markdown page that lists all rules."""
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity} | {rule.summary} |"
        for rule in RULES.values()
    ]
    return "\n".join(
        [
            "# Rules",
            "",
            "Generated from the code by `make docs`.",
            "",
            "| code | name | severity | what |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def pages() -> dict[str, str]:
    """All pages by file name."""
    return {"README.md": index(), **{f"{rule.code}.md": page(rule) for rule in RULES.values()}}


def main(arguments: list[str]) -> int:
    """Writes the pages into the folder named by the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tilescope_trace.rules.docs FOLDER\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
