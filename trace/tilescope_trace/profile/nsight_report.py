"""Run by its path, in a process of its own: what NVIDIA's module ``ncu_report`` reads in a report, as JSON.

    python nsight_report.py REPORT [FOLDER...]

FOLDER are places of that module beside the import path. The module is machine code that can end its process, and does
so beside other extension modules written in C++ (Nsight Compute 2025.3.1). Prints a list of launches: ``name``,
``metrics`` (name to value and unit) and ``instructions`` (address, text and what each metric counts there). Exit code
3 where there is no such module, 1 where the report cannot be opened, with the reason on standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

NO_MODULE = 3
TOTAL = "smsp__pcsamp_sample_count"
EXECUTED = "inst_executed"
STALL = "smsp__pcsamp_warps_issue_stalled_"


def main(arguments: list[str]) -> int:
    """Print the launches of the report named first."""
    sys.path.pop(0)  # the folder of this file: its modules have names of the standard library's
    path, *folders = arguments
    sys.path += folders
    try:
        import ncu_report  # type: ignore[import-not-found]
    except ImportError as error:
        sys.stderr.write(str(error))
        return NO_MODULE
    try:
        report = ncu_report.load_report(path)
    except Exception as error:  # noqa: BLE001 - NVIDIA's module raises what it likes
        sys.stderr.write(str(error))
        return 1
    ranges = [report.range_by_idx(at) for at in range(report.num_ranges())]
    actions = [one.action_by_idx(at) for one in ranges for at in range(one.num_actions())]
    json.dump([_launch(action) for action in actions], sys.stdout)
    return 0


def _launch(action: Any) -> dict[str, Any]:
    metrics = dict(_metrics(action))
    counted = {
        name: _by_address(action, name) for name in metrics if name in (TOTAL, EXECUTED) or name.startswith(STALL)
    }
    addresses = sorted({*counted.get(TOTAL, ()), *counted.get(EXECUTED, ())})
    return {
        "name": action.name(),
        "metrics": metrics,
        "instructions": [
            {
                "address": address,
                "text": str(action.sass_by_pc(address)).strip(),
                "counts": {name: found[address] for name, found in counted.items() if address in found},
            }
            for address in addresses
        ],
    }


def _metrics(action: Any) -> Iterator[tuple[str, tuple[float | str, str]]]:
    for name in action.metric_names():
        metric = action.metric_by_name(name)
        value = None if metric is None else metric.value()
        if isinstance(value, (int, float)) and value == value:
            yield name, (float(value), metric.unit() or "")
        elif isinstance(value, str) and value:
            yield name, (value, metric.unit() or "")


def _by_address(action: Any, name: str) -> dict[int, int]:
    """Values of a metric by the address of their instruction; none where the metric has none."""
    metric = action.metric_by_name(name)
    if metric is None or not metric.has_correlation_ids():
        return {}
    addresses = metric.correlation_ids()
    return {addresses.as_uint64(at): metric.as_uint64(at) for at in range(metric.num_instances())}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
