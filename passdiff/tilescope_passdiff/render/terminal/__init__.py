"""Rich renderables for the terminal. In a pipe they print without colour; long lines need ``soft_wrap=True``."""

from .diff import pass_diff
from .folded import folded
from .history import history_text
from .passes import pass_table
from .text import generated_source, pass_text

__all__ = ["folded", "generated_source", "history_text", "pass_diff", "pass_table", "pass_text"]
