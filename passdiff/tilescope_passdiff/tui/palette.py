"""Colours of the browser. Additions and deletions differ in lightness and hue (teal and orange), which people with
red-green colour blindness can tell apart; every text colour keeps a contrast of at least 4.5 on every background."""

from __future__ import annotations

from dataclasses import dataclass

from textual.theme import Theme


@dataclass(frozen=True)
class Palette:
    """Colours as ``#rrggbb``: first those of text, then those behind text."""

    text: str
    dim: str
    keyword: str
    builtin: str
    string: str
    number: str
    comment: str
    inserted: str
    deleted: str
    changed: str
    error: str
    accent: str
    background: str
    bar: str
    cursor: str
    insert_row: str
    insert_word: str
    delete_row: str
    delete_word: str
    moved: str
    moved_row: str
    match: str
    linked: str
    bars: str


DARK = Palette(
    text="#dde3ea",
    dim="#a3adb8",
    keyword="#9cc2ff",
    builtin="#7fd1c7",
    string="#e3c78a",
    number="#d0b3f5",
    comment="#a8b2bd",
    inserted="#62d9cb",
    deleted="#ffab80",
    changed="#f0c24b",
    error="#ff9a92",
    accent="#8fbcff",
    background="#14181d",
    bar="#1f252d",
    cursor="#2b3542",
    insert_row="#0f2f31",
    insert_word="#0f4648",
    delete_row="#3a2117",
    delete_word="#5c2f1a",
    moved="#8fbcff",
    moved_row="#1b2b45",
    match="#5a4a00",
    linked="#26303f",
    bars="#465160",
)

LIGHT = Palette(
    text="#1c2127",
    dim="#4d5661",
    keyword="#0a3f9c",
    builtin="#07534f",
    string="#6a3d00",
    number="#54289c",
    comment="#4d5661",
    inserted="#06524d",
    deleted="#8a2f08",
    changed="#6f4600",
    error="#9a1710",
    accent="#0a3f9c",
    background="#fcfcfa",
    bar="#eceff2",
    cursor="#dde6f2",
    insert_row="#dff3f0",
    insert_word="#b4e3dd",
    delete_row="#fdebe1",
    delete_word="#fbd0b8",
    moved="#0a3f9c",
    moved_row="#e1e9fb",
    match="#ffe78a",
    linked="#e8eef6",
    bars="#a9b3be",
)


CONTRAST = Palette(
    text="#ffffff",
    dim="#d6dde6",
    keyword="#a8cfff",
    builtin="#7df0e0",
    string="#ffe08a",
    number="#e3c9ff",
    comment="#d6dde6",
    inserted="#5cf5e0",
    deleted="#ffb48c",
    changed="#ffd84d",
    error="#ffb3ad",
    accent="#ffff66",
    background="#000000",
    bar="#0f1319",
    cursor="#242f3d",
    insert_row="#042424",
    insert_word="#043333",
    delete_row="#2e1508",
    delete_word="#42200e",
    moved="#a8cfff",
    moved_row="#0d1c38",
    match="#4a3d00",
    linked="#1b2636",
    bars="#8b97a5",
)

PALETTES = {"tilescope-dark": DARK, "tilescope-light": LIGHT, "tilescope-contrast": CONTRAST}
"""Palettes by the names of their themes, in the order in which a key goes through them."""


def theme(name: str, palette: Palette, *, dark: bool) -> Theme:
    """A Textual theme of the same colours, for scroll bars, inputs and overlays."""
    return Theme(
        name=name,
        primary=palette.accent,
        secondary=palette.builtin,
        accent=palette.accent,
        foreground=palette.text,
        background=palette.background,
        surface=palette.background,
        panel=palette.bar,
        success=palette.inserted,
        warning=palette.changed,
        error=palette.error,
        dark=dark,
        variables={
            "scrollbar": palette.bars,
            "scrollbar-background": palette.bar,
            "scrollbar-corner-color": palette.bar,
            "scrollbar-background-hover": palette.bar,
            "scrollbar-background-active": palette.bar,
            "scrollbar-hover": palette.dim,
            "scrollbar-active": palette.accent,
            "dim": palette.dim,
        },
    )


THEMES = tuple(theme(name, palette, dark=palette is not LIGHT) for name, palette in PALETTES.items())


def prefers_light(environment: dict[str, str]) -> bool:
    """Whether the terminal says (``COLORFGBG=0;15``) that its background is light."""
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return background in {"7", "15"}
