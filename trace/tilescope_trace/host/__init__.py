"""Start, feed, watch, kill and restart worker processes; everything asynchronous, on one event loop."""

from .errors import WorkerEnded
from .host import Host
from .policy import Policy

__all__ = ["Host", "Policy", "WorkerEnded"]
