"""From a tree of files to findings: what CI runs."""
