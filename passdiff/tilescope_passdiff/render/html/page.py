"""Puts the page together: static assets, and the data of one recording.

There is no template language: nothing of a recording is ever put into HTML here but the page's title. The data is
deflated and in base64, so that it cannot end the element that holds it; the script puts it on the page as text. A
content security policy allows this one script and no connection at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from tilescope_trace.profile.overlay import Overlay
from tilescope_trace.store.read import Recording

from .payload import payload
from .pool import shown

SCRIPTS = ("data", "syntax", "rows", "pane", "passes", "facts", "heat", "link", "keys", "main")
"""Parts of the page's script, in order; together they are one function, so that they share names and leak none."""


def report_html(recording: Recording, overlays: Sequence[Overlay] = ()) -> str:
    """The page, with profiles over it. Damage to parts of the recording is told where they would stand."""
    script = "(() => {\n'use strict';\n" + "".join(_asset(f"{name}.js") for name in SCRIPTS) + "})();\n"
    data = json.dumps(payload(recording, overlays), separators=(",", ":")).encode("ascii")
    info = recording.info
    return Template(_asset("page.html")).substitute(
        title=escape(shown(f"{info.kernel.qualname} for {info.kernel.target}"), quote=True),
        style=_asset("style.css"),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        data=base64.b64encode(zlib.compress(data, 9)).decode("ascii"),
    )


def _asset(name: str) -> str:
    return (files("tilescope_passdiff.render.html") / "assets" / name).read_text(encoding="utf-8")
