"""What a plain helper of the file returns for known arguments (``get_configs()``, ``pick_block(M)``)."""

from __future__ import annotations

from .interpret import Interpreter

Inliner = Interpreter
