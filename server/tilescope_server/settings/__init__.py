"""What a client may set: `model` lists every setting, `read` checks what is sent, `schema` is for people."""

from .model import TABLE, Debounce, Hints, Log, Setting, Settings
from .read import read

__all__ = ["TABLE", "Debounce", "Hints", "Log", "Setting", "Settings", "read"]
