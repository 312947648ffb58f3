"""The life of a Python line or a buffer through the passes."""

from .buffers import of_buffer
from .lines import of_line
from .model import GeneratedEntry, History, Step, Subject, TextLines

__all__ = ["GeneratedEntry", "History", "Step", "Subject", "TextLines", "of_buffer", "of_line"]
