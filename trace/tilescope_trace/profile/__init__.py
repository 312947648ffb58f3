"""Profiler files: read into one model (``importers``), joined with recordings, attributed to lines."""
