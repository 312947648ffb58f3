"""What a job's user code finds around it: stand-ins for missing modules, a device that answers for the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from . import load
from .devices import Device, selected
from .standins import StandIns, stand_ins

Result = TypeVar("Result")


class Surroundings:
    """Those of one job. ``device`` is that of the target in turn; ``asked`` is whether executing the file has asked
    for it, so that another target may define something else."""

    def __init__(self, stood: StandIns, target: str) -> None:
        self.stand_ins = stood
        self.device = Device(target)

    def turn_to(self, target: str) -> bool:
        """Select the device of a target; True where the file has to be executed again for it."""
        if target == self.device.target:
            return False
        asked = self.device.asked
        self.device = Device(target)
        return asked

    @property
    def sms(self) -> int | None:
        """The number of SMs of the device, None where there is none."""
        return self.device.model.multiprocessors if self.device.model is not None else None

    def notes(self) -> tuple[str, ...]:
        """What was answered or stood in for so far."""
        return (*self.stand_ins.note(), *self.device.note())

    @contextmanager
    def selected(self) -> Iterator[None]:
        """The device answers within."""
        with selected(self.device):
            yield

    def execute(self, path: str, text: str) -> load.Loaded:
        """`load.execute` among them."""
        with self.selected():
            return load.execute(path, text, self.stand_ins)

    def call(self, function: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
        """Call what runs user code with the device in place, again with stand-ins for as long as modules are missing.
        Raises what the call raises."""
        while True:
            with self.selected():
                try:
                    return function(*args, **kwargs)
                except BaseException as error:  # raised again where no stand-in helps
                    if self.stand_ins.offer(error) is None:
                        raise


@contextmanager
def surroundings(target: str) -> Iterator[Surroundings]:
    """Those of a job whose first request is for ``target``; nothing of them is left afterwards."""
    with stand_ins() as stood:
        yield Surroundings(stood, target)
