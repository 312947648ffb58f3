"""A recording as one HTML page that needs no network and no program but a browser."""

from .page import report_html

__all__ = ["report_html"]
