"""Pictures of layouts: one grid, drawn as Unicode text, as SVG or as JSON."""

from .json import LAYOUT, layout_json
from .svg import layout_svg
from .text import layout_text

__all__ = ["LAYOUT", "layout_json", "layout_svg", "layout_text"]
