"""The few calls of the CUDA driver that stamps need, in the context that the program itself uses."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PORTABLE_MAPPED = 0x01 | 0x02
"""CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP."""
MULTIPROCESSORS, CLOCK_KHZ = 16, 13
"""CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT and CU_DEVICE_ATTRIBUTE_CLOCK_RATE."""
MAJOR, MINOR = 75, 76
"""CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR."""


class DriverError(RuntimeError):
    """A call of the driver that failed."""


class Driver:
    """The driver, with the primary context of the current device. Raises DriverError without a device."""

    def __init__(self) -> None:
        try:
            self._cuda = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DriverError(f"no CUDA driver: {error}") from None
        self._call("cuInit", 0)
        self._device, self._context = ctypes.c_int(), ctypes.c_void_p()
        current = ctypes.c_void_p()
        self._call("cuCtxGetCurrent", ctypes.byref(current))
        if current.value:
            self._call("cuCtxGetDevice", ctypes.byref(self._device))
        else:
            self._call("cuDeviceGet", ctypes.byref(self._device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self._device)
        count = ctypes.c_int()
        self._call("cuDeviceGetCount", ctypes.byref(count))
        self._alone = count.value == 1

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self._cuda, name)(*arguments)
        if status:
            raise DriverError(f"{name} failed with CUDA error {status}")

    @contextmanager
    def _current(self) -> Iterator[None]:
        self._call("cuCtxPushCurrent_v2", self._context)
        try:
            yield
        finally:
            self._call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))

    def describe(self) -> dict[str, object]:
        """Name, compute capability and size of the device."""
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, 256, self._device)
        major, minor, count, clock = (self._attribute(at) for at in (MAJOR, MINOR, MULTIPROCESSORS, CLOCK_KHZ))
        return {
            "name": name.value.decode("utf-8", "replace"),
            "arch": f"sm_{major}{minor}",
            "multiprocessors": count,
            "clock_khz": clock,
        }

    def _attribute(self, number: int) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), number, self._device)
        return value.value

    def memory(self, size: int) -> int:
        """Zeroed memory that kernels on each of the program's devices can write: of the device where it is the only
        one, of the host otherwise."""
        address = ctypes.c_uint64()
        with self._current():
            if self._alone:
                self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
            else:
                self._call("cuMemHostAlloc", ctypes.byref(address), ctypes.c_size_t(size), PORTABLE_MAPPED)
            self._call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        return address.value

    def scratch(self, size: int) -> int | None:
        """Memory of the device that is only written to; None where there is not enough."""
        address = ctypes.c_uint64()
        with self._current(), suppress(DriverError):
            self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value or None

    def clear(self, address: int, size: int, stream: int) -> None:
        """Zero memory, in order with what is launched on ``stream``."""
        self._call(
            "cuMemsetD8Async",
            ctypes.c_uint64(address),
            ctypes.c_ubyte(0),
            ctypes.c_size_t(size),
            self._stream(stream),
        )

    def clear_rows(self, address: int, pitch: int, width: int, rows: int, stream: int) -> None:
        """Zero the first ``width`` bytes of each of ``rows`` rows of ``pitch`` bytes."""
        sizes = [ctypes.c_size_t(value) for value in (width, rows)]
        self._call(
            "cuMemsetD2D8Async",
            ctypes.c_uint64(address),
            ctypes.c_size_t(pitch),
            ctypes.c_ubyte(0),
            *sizes,
            self._stream(stream),
        )

    def read(self, address: int, size: int) -> bytes:
        """The bytes at ``address``, once all that was launched has ended."""
        data = ctypes.create_string_buffer(size)
        with self._current():
            self._call("cuCtxSynchronize")
            self._call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return data.raw

    def is_capturing(self, stream: int) -> bool:
        """Whether what is launched on ``stream`` goes into a graph instead of running."""
        status = ctypes.c_int()
        self._call("cuStreamIsCapturing", self._stream(stream), ctypes.byref(status))
        return status.value != 0

    def event(self) -> ctypes.c_void_p:
        """A new event for timing."""
        event = ctypes.c_void_p()
        self._call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def mark(self, event: ctypes.c_void_p, stream: int) -> None:
        """Have the event note when ``stream`` gets to it."""
        self._call("cuEventRecord", event, self._stream(stream))

    def microseconds(self, start: ctypes.c_void_p, end: ctypes.c_void_p) -> float:
        """Time between two events, waiting for the second."""
        elapsed = ctypes.c_float()
        with self._current():
            self._call("cuEventSynchronize", end)
            self._call("cuEventElapsedTime", ctypes.byref(elapsed), start, end)
        return elapsed.value * 1000

    @staticmethod
    def _stream(stream: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(stream)
