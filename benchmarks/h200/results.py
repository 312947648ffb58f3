"""Makes the kept results of what Nsight Compute wrote: ``python results.py FOLDER OUT``.

FOLDER holds ``manifest.json`` and, from the GPU machine, ``probes.csv`` (``ncu --page raw --csv``), ``source.csv``
(``--page source --csv --print-source sass``) and ``sass.txt`` (``nvdisasm -gi -c`` of each cubin, after its name).
"""

from __future__ import annotations

import collections
import csv
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
ASYNC_WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global"
_MEMORY = re.compile(r"^(LDS|STS|LDSM|STSM|LDGSTS|LDG|STG|HGMMA)(\.|$)")
_LOCATION = re.compile(r'\s*//## File "([^"]*)", line (\d+)')
_INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?);?\s*(?:/\*.*)?$")


def main(arguments: list[str]) -> int:
    """Write ``probes.json`` and ``kernels.json`` into the second folder."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python results.py FOLDER OUT\n")
        return 2
    folder, out = map(Path, arguments)
    manifest = json.loads((folder / "manifest.json").read_text())
    _write(out / "probes.json", list(_probes(folder, manifest)))
    _write(out / "kernels.json", list(_kernels(folder, manifest)))
    return 0


def _write(path: Path, rows: list[Any]) -> None:
    path.write_text("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")


def _probes(folder: Path, manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    with (folder / "probes.csv").open() as file:
        header, _, *rows = list(csv.reader(file))
    for pattern, row in zip(manifest["patterns"], rows, strict=False):
        if row[header.index("Kernel Name")].split("(")[0] != pattern["probe"]:
            raise SystemExit("the launches are not those of the manifest")
        value = {name: float(cell.replace(",", "")) for name, cell in zip(header, row, strict=True) if ".sum" in name}
        yield {**pattern, **_measured(pattern["probe"], value)}


def _measured(probe: str, value: dict[str, float]) -> dict[str, int]:
    if probe.startswith("g"):
        return {"sectors": int(value[f"{SECTORS}_op_{probe[1:3]}.sum"])}
    if probe.startswith("cp"):
        return {"wavefronts": int(value[ASYNC_WAVEFRONTS])}
    if probe.startswith("atom"):
        return {"wavefronts": int(value[f"{WAVEFRONTS}_op_atom.sum"])}
    return {"wavefronts": int(value[f"{WAVEFRONTS}_op_{probe[:2]}.sum"])}


def _kernels(folder: Path, manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    places = _places(folder / "sass.txt")
    for kernel, rows in zip(manifest["kernels"], _pages(folder / "source.csv"), strict=True):
        counted: collections.Counter[tuple[Any, ...]] = collections.Counter()
        first = int(rows[0]["Address"], 16)
        for row in rows:
            words = [word for word in row["Source"].split() if not word.startswith("@")]
            executed = int(row["Instructions Executed"])
            if not executed or not _MEMORY.match(words[0]):
                continue
            line = places[kernel["name"]].get(int(row["Address"], 16) - first)
            each = [
                _count(row, name) / executed for name in ("L1 Wavefronts Shared", "L2 Theoretical Sectors Global")
            ]
            if not any(each):
                continue  # the assembler's own, switched off by its predicate
            counted[(words[0], kernel["lines"].get(str(line)), *each)] += 1
        found = [
            {"opcode": opcode, "line": line, "wavefronts": wavefronts, "sectors": touched, "instructions": count}
            for (opcode, line, wavefronts, touched), count in counted.items()
        ]
        yield {name: kernel[name] for name in ("name", "kernel", "arguments", "architecture")} | {"measured": found}


def _count(row: dict[str, str], name: str) -> int:
    return int((row.get(name) or "0").replace(",", ""))


def _pages(path: Path) -> Iterator[list[dict[str, str]]]:
    """The rows of each kernel of a source page."""
    header: list[str] = []
    rows: list[dict[str, str]] = []
    with path.open() as file:
        for cells in csv.reader(file):
            if cells and cells[0] == "Kernel Name":
                if rows:
                    yield rows
                rows = []
            elif cells and cells[0] == "Address":
                header = cells
            elif cells:
                rows.append(dict(zip(header, cells, strict=False)))
    if rows:
        yield rows


def _places(path: Path) -> dict[str, dict[int, int]]:
    """For each kernel the line of generated source of each instruction, by its offset: the outermost of its chain."""
    found: dict[str, dict[int, int]] = {}
    lines: dict[int, int] = {}
    chain: list[int] = []
    after_instruction = False
    for text in path.read_text().splitlines():
        if text.startswith("@@ "):
            lines = found.setdefault(Path(text[3:]).stem, {})
            chain = []
        elif match := _LOCATION.match(text):
            if after_instruction:
                chain = []
            chain.append(int(match[2]))
            after_instruction = False
        elif match := _INSTRUCTION.match(text):
            if chain:
                lines[int(match[1], 16)] = chain[-1]
            after_instruction = True
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
