"""Hooks of the documentation's site: links to files of the repository that are no pages go to the repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parent.parent
_OUTSIDE = re.compile(r"\]\((?:\.\./)+((?!images/|rules/|tutorials/)[\w./-]+)(#[\w-]+)?\)")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001 - mkdocs calls by name
    """Point links that leave the folder of pages at the repository. Raises PluginError for one to no file."""
    folder = Path(page.file.src_path).parent

    def link(found: re.Match[str]) -> str:
        target = (ROOT / "docs" / folder / found[0][2:-1].partition("#")[0]).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return found[0]
        if not target.exists():
            raise PluginError(f"{page.file.src_path} links to {found[1]}, which is not there")
        return f"]({config['repo_url']}/blob/main/{target.relative_to(ROOT).as_posix()}{found[2] or ''})"

    return _OUTSIDE.sub(link, markdown)
