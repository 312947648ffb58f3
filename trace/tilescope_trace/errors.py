"""The error every room raises for bad usage or unreadable input."""

from __future__ import annotations


class UsageError(Exception):
    """Bad usage or unreadable input: one message that says what, where and what to do. The command line prints it
    and exits with 2; the language server shows it."""
