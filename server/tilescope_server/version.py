"""The version of this distribution, which pyproject.toml reads from here.

Looking it up in the metadata of the installed one (``importlib.metadata``) takes a tenth of the server's start.
"""

VERSION = "0.1.0"
