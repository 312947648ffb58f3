"""The worker of one command: started on first use, shared by all files, ended with the command."""

from __future__ import annotations
