"""Which kernels of a file the caller means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from tilescope_trace.errors import UsageError

from .discover import KernelSource


def select(kernels: Sequence[KernelSource], wanted: str | None) -> tuple[KernelSource, ...]:
    """The kernels a name means: any unambiguous suffix of a qualified name, or of its factory's (``matmul``,
    ``main`` and ``matmul.main``). All of them without a name. Raises UsageError."""
    if wanted is None:
        return tuple(kernels)
    exact = [kernel for kernel in kernels if kernel.qualname == wanted]
    found = exact or [kernel for kernel in kernels if _means(kernel, wanted.split("."))]
    qualnames = list(dict.fromkeys(kernel.qualname for kernel in found))
    if len(qualnames) == 1:
        return tuple(found)
    if qualnames:
        raise UsageError(f"kernel {wanted!r} is ambiguous: {', '.join(qualnames)}")
    known = list(dict.fromkeys(kernel.qualname for kernel in kernels))
    close = difflib.get_close_matches(wanted, known, n=1)
    advice = f"did you mean {close[0]}? " if close else ""
    raise UsageError(f"no kernel {wanted!r}; {advice}kernels here: {', '.join(known)}")


def _means(kernel: KernelSource, parts: list[str]) -> bool:
    """Whether ``parts`` end the name of the kernel, or that of a definition around it."""
    chain = [name for name, _ in kernel.chain]
    ends = range(len(parts), len(chain) + 1)
    return any(chain[end - len(parts) : end] == parts for end in ends)


def check_parameters(kernels: Sequence[KernelSource], asked: Iterable[str]) -> None:
    """Raises UsageError for a name that is a parameter of none of the kernels."""
    for name in asked:
        if not any(parameter.name == name for kernel in kernels for parameter in kernel.parameters):
            known = "; ".join(
                f"{kernel.qualname}: {', '.join(parameter.name for parameter in kernel.parameters) or 'none'}"
                for kernel in kernels
            )
            raise UsageError(f"no kernel has a parameter {name!r}; parameters of {known}")
