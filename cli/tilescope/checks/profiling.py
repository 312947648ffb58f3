"""What profiling a kernel needs: a disassembler for samples, a device for stamps."""

from __future__ import annotations

from tilescope.profiling import no_device
from tilescope_trace.profile.machine_code import INSTALL, find_tool

from .check import Check


def check_nvdisasm() -> Check:
    """nvdisasm, which turns samples of instructions into samples of lines."""
    path = find_tool("nvdisasm")
    if path is None:
        lost = "samples of Nsight Compute stay on machine instructions, unless nvdisasm's text is given"
        return Check("nvdisasm", "missing", "not found", lost, INSTALL)
    return Check("nvdisasm", "ok", f"at {path}")


def check_device() -> Check:
    """A CUDA device, which kernels with stamps run on."""
    problem = no_device()
    if problem is not None:
        lost = "`tilescope profile` cannot run; profiles made elsewhere are read all the same"
        remedy = "run it where the program runs, and read its folder here with `tilescope timeline`"
        return Check("device", "missing", problem, lost, remedy)
    return Check("device", "ok", "a CUDA device answers")
