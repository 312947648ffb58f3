"""How a report is written: one form a module, each a function from a report to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tilescope_server.lint.model import Report

from . import concise, full, github, gitlab, json, json_lines, junit, markdown, sarif
from .context import Context

Render = Callable[[Report, Context], str]

FORMATS: dict[str, Render] = {
    "text": full.render,
    "json": json.render,
    "full": full.render,
    "concise": concise.render,
    "json-lines": json_lines.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "sarif": sarif.render,
    "junit": junit.render,
    "markdown": markdown.render,
}
"""All forms by the names they have on the command line; ``text`` is ``full``."""
AUTO = "auto"
FOR_PEOPLE = frozenset({"text", "full", "concise"})
"""Forms that say nothing where nothing was found, so that whoever prints them adds a summary."""

__all__ = ["AUTO", "FORMATS", "FOR_PEOPLE", "Context", "Render", "chosen"]


def chosen(name: str, environ: Mapping[str, str]) -> str:
    """The form that ``name`` means: ``auto`` is that of the CI service that runs us, or ``full``."""
    if name != AUTO:
        return name
    if environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "gitlab" if environ.get("GITLAB_CI") == "true" else "full"
