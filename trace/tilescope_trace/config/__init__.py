"""``[tool.tilescope]`` of a pyproject.toml, and tilescope.toml: found, read, checked, asked about one kernel."""
