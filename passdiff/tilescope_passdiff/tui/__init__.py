"""The terminal browser over a recording."""

import os

# Textual waits for the next tick of its frames before it draws: at 60 a second that alone is up to 16 ms a key.
os.environ.setdefault("TEXTUAL_FPS", "240")

from .app import run, run_compare
from .profiles import Wanted
from .watching import Watched

__all__ = ["Wanted", "Watched", "run", "run_compare"]
