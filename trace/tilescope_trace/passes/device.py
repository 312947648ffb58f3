"""Passes that part host and device and make them ready for the code generator."""

from .model import PassInfo

PASSES = (
    PassInfo("tirx.AnnotateEntryFunc", "Marks the kernel as the function to be called from outside."),
    PassInfo("tl.AnnotateDeviceRegions", "Marks what runs on the device."),
    PassInfo(
        "tl.SplitHostDevice",
        "Makes the marked regions functions of the device; the host keeps the call. From here on there are two "
        "functions.",
    ),
    PassInfo("tirx.ConvertSSA", "Renames variables so that each is defined once; within tl.SplitHostDevice."),
    PassInfo("tl.AnnotateReadOnlyParams", "Notes which parameters of the kernel are only read."),
    PassInfo(
        "tl.MakePackedAPI",
        "Gives the host function the interface of TVM: it unpacks arguments, checks shapes, types and devices, and "
        "sets the device.",
    ),
    PassInfo(
        "tl.LowerDeviceKernelLaunch", "Turns calls of the device function into kernel launches with grid and block."
    ),
    PassInfo(
        "tirx.Filter",
        "Keeps the functions of one side: the first time those of the host, the second time those of the device. "
        "What it takes away goes on in the other module.",
    ),
    PassInfo(
        "tl.LowerIntrin", "Replaces operations by those of the target: mathematical functions, divisions, remainders."
    ),
)
