"""Every key of the browser, once: bindings, footer, help, palette and docs/view.md are all made from this table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal[
    "pane", "reader", "browser", "compare", "history", "lanes", "timeline", "search", "list", "form", "help"
]

SCOPES: dict[Scope, str] = {
    "pane": "In the focused pane",
    "reader": "Wherever a text is read",
    "browser": "In the browser of a recording",
    "compare": "Comparing two recordings",
    "history": "In the history of a line or buffer",
    "lanes": "In the lanes of a timeline",
    "timeline": "In a timeline",
    "search": "While typing a search or filter",
    "list": "In the search of all passes, the lists of notes, exports and commands",
    "form": "While writing a note or a file name",
    "help": "In this help",
}


@dataclass(frozen=True)
class Key:
    """``keys`` are Textual key names, the first one preferred; ``footer`` is the short word of the footer, None for
    a key that only the help shows. Keys with a common ``group`` share one line, in order."""

    scope: Scope
    keys: tuple[str, ...]
    action: str
    help: str
    footer: str | None = None
    group: str | None = None


KEYS: tuple[Key, ...] = (
    Key("pane", ("j", "down"), "cursor(1)", "next / previous line", "move", "move"),
    Key("pane", ("k", "up"), "cursor(-1)", "next / previous line", "move", "move"),
    Key("pane", ("pagedown", "space"), "page(1)", "page down / up", group="page"),
    Key("pane", ("pageup",), "page(-1)", "page down / up", group="page"),
    Key("pane", ("home",), "edge(-1)", "first / last line", group="edge"),
    Key("pane", ("end",), "edge(1)", "first / last line", group="edge"),
    Key("pane", ("left",), "sideways(-8)", "scroll sideways", group="sideways"),
    Key("pane", ("right",), "sideways(8)", "scroll sideways", group="sideways"),
    Key("pane", ("enter",), "activate", "read · unfold · go to the IR · draw the layout"),
    Key("browser", ("n",), "changed_pass(1)", "next / previous changed pass", "changed", "changed"),
    Key("browser", ("p",), "changed_pass(-1)", "next / previous changed pass", "changed", "changed"),
    Key("compare", ("n",), "difference(1)", "next / previous difference", "difference", "difference"),
    Key("compare", ("p",), "difference(-1)", "next / previous difference", "difference", "difference"),
    Key("history", ("escape",), "back", "back to the passes", "back"),
    Key("reader", ("slash",), "search", "search in the text shown", "search"),
    Key("reader", ("question_mark",), "help", "this help", "help"),
    Key("reader", ("q",), "app.quit", "quit", "quit"),
    Key("browser", ("l",), "filter", "filter the passes by name", "filter"),
    Key("browser", ("S",), "search_all", "search all passes", "all passes"),
    Key("reader", ("colon", "ctrl+p"), "commands", "command palette", "commands"),
    Key("reader", ("tab",), "app.focus_next", "next / previous pane", "pane", "focus"),
    Key("reader", ("shift+tab",), "app.focus_previous", "next / previous pane", group="focus"),
    Key("reader", ("right_square_bracket",), "change(1)", "next / previous change in the text", "change", "change"),
    Key("reader", ("left_square_bracket",), "change(-1)", "next / previous change in the text", group="change"),
    Key("reader", ("greater_than_sign",), "match(1)", "next / previous match", "match", "match"),
    Key("reader", ("less_than_sign",), "match(-1)", "next / previous match", "match", "match"),
    Key("reader", ("f",), "toggle_full_text", "whole text / changes with context", "full text"),
    Key("reader", ("d",), "toggle_split", "side by side / one above the other", "side by side"),
    Key("reader", ("z",), "toggle_zoom", "one pane alone / all panes", "zoom"),
    Key("browser", ("s",), "companion('source')", "show or hide the Python source", "source"),
    Key("browser", ("g",), "companion('generated')", "show or hide the generated source", "generated"),
    Key("browser", ("i",), "companion('facts')", "show or hide the facts of the kernel", "facts"),
    Key("browser", ("h",), "history", "history of the selected line or buffer", "history"),
    Key("browser", ("o",), "first_touch", "first pass that changed what is selected"),
    Key("browser", ("right_curly_bracket",), "touch(1)", "next / previous pass that changed it", group="touch"),
    Key("browser", ("left_curly_bracket",), "touch(-1)", "next / previous pass that changed it", group="touch"),
    Key("browser", ("c",), "toggle_changed_only", "show / hide passes that changed nothing", "all passes"),
    Key("browser", ("r",), "toggle_renumbering", "hide / show renumbered names"),
    Key("browser", ("m",), "bookmark", "bookmark this line, or remove it", "mark"),
    Key("browser", ("a",), "annotate", "write a note at this line"),
    Key("browser", ("M",), "notes", "list bookmarks and notes"),
    Key("reader", ("y",), "copy('line')", "line / hunk to the clipboard", group="copy"),
    Key("reader", ("Y",), "copy('hunk')", "line / hunk to the clipboard", group="copy"),
    Key("browser", ("x",), "export", "export hunk, pass or report"),
    Key("browser", ("e",), "edit", "open the Python line in $EDITOR"),
    Key("browser", ("T",), "timeline", "timeline of the profiles laid over the recording", "timeline"),
    Key("browser", ("H",), "heat", "show or hide the heat beside the lines"),
    Key("browser", ("R",), "again", "record or read again, keeping the place"),
    Key("reader", ("ctrl+z",), "app.suspend_process", "to the shell; `fg` comes back"),
    Key("reader", ("t",), "next_theme", "dark / light / high-contrast colours"),
    Key("browser", ("escape",), "back", "leave search, zoom, pane"),
    Key("compare", ("escape",), "back", "leave search, zoom, pane"),
    Key("lanes", ("right", "n"), "slice(1)", "next / previous slice of the lane", "slice", "slice"),
    Key("lanes", ("left", "p"), "slice(-1)", "next / previous slice of the lane", "slice", "slice"),
    Key("lanes", ("down", "j"), "cursor(1)", "next / previous lane", "lane", "lane"),
    Key("lanes", ("up", "k"), "cursor(-1)", "next / previous lane", "lane", "lane"),
    Key("lanes", ("pagedown", "space"), "page(1)", "page down / up", group="page"),
    Key("lanes", ("pageup",), "page(-1)", "page down / up", group="page"),
    Key("lanes", ("home",), "edge(-1)", "first / last lane", group="edge"),
    Key("lanes", ("end",), "edge(1)", "first / last lane", group="edge"),
    Key("lanes", ("enter",), "activate", "follow the slice to source and IR", "to source"),
    Key("timeline", ("w", "plus"), "zoom_time(1)", "zoom in / out", "zoom", "zoom"),
    Key("timeline", ("s", "minus"), "zoom_time(-1)", "zoom in / out", "zoom", "zoom"),
    Key("timeline", ("a",), "pan(-1)", "earlier / later", "pan", "pan"),
    Key("timeline", ("d",), "pan(1)", "earlier / later", "pan", "pan"),
    Key("timeline", ("slash",), "search", "search slices by name", "search"),
    Key("timeline", ("question_mark",), "help", "this help", "help"),
    Key("timeline", ("escape",), "back", "back to the passes", "back"),
    Key("timeline", ("0",), "whole", "all of the time", "all"),
    Key("timeline", ("f",), "fit", "the slice as large as the screen", "fit"),
    Key("timeline", ("greater_than_sign",), "match(1)", "next / previous slice found", "found", "found"),
    Key("timeline", ("less_than_sign",), "match(-1)", "next / previous slice found", "found", "found"),
    Key("timeline", ("m",), "mark", "measure from this slice to another one", "mark"),
    Key("timeline", ("1",), "panel(0)", "the slice that is selected", group="panel"),
    Key("timeline", ("2",), "panel(1)", "statistics of what is in view or marked"),
    Key("timeline", ("3",), "panel(2)", "the longest slices"),
    Key("timeline", ("4",), "panel(3)", "the profile: how it is joined, the verdict"),
    Key("timeline", ("5",), "panel(4)", "the pipeline: work and waits of each stage"),
    Key("timeline", ("6",), "panel(5)", "waves, and the balance of SMs or cores"),
    Key("timeline", ("o",), "profile", "the next profile", "profile"),
    Key("timeline", ("tab",), "app.focus_next", "next / previous pane", group="focus"),
    Key("timeline", ("shift+tab",), "app.focus_previous", "next / previous pane", group="focus"),
    Key("timeline", ("t",), "next_theme", "dark / light / high-contrast colours"),
    Key("timeline", ("colon", "ctrl+p"), "commands", "command palette"),
    Key("timeline", ("ctrl+z",), "app.suspend_process", "to the shell; `fg` comes back"),
    Key("timeline", ("q",), "app.quit", "quit", "quit"),
    Key("search", ("enter",), "accept", "keep it and go on", "accept"),
    Key("search", ("down",), "step(1)", "next / previous match", "next / previous", "step"),
    Key("search", ("up",), "step(-1)", "next / previous match", "next / previous", "step"),
    Key("search", ("ctrl+r",), "toggle_regex", "regular expression / plain text", "regex"),
    Key("search", ("escape",), "cancel", "stop searching", "cancel"),
    Key("list", ("down",), "step(1)", "next / previous entry", group="step"),
    Key("list", ("up",), "step(-1)", "next / previous entry", group="step"),
    Key("list", ("enter",), "accept", "go there"),
    Key("list", ("delete",), "remove", "remove the note"),
    Key("list", ("ctrl+r",), "toggle_regex", "regular expression / plain text"),
    Key("list", ("escape",), "cancel", "close"),
    Key("form", ("enter",), "accept", "write it"),
    Key("form", ("escape",), "cancel", "leave it as it was"),
    Key("help", ("escape", "q", "question_mark"), "close", "close", "close"),
)
