"""From an edit to hints: the language server."""
