"""`tilescope timeline` of a kernel measured on the board: a row for each core, or for each kind of core."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from tilescope.commands.timeline import command

from .ascend_files import base, block, write_table

PIPES = (
    "block_id",
    "sub_block_id",
    "aic_time(us)",
    "aic_cube_ratio",
    "aic_mte2_ratio",
    "aiv_time(us)",
    "aiv_vec_ratio",
)


def shown(path: Path, *options: str) -> Result:
    done = CliRunner().invoke(command, [str(path), *options], standalone_mode=False, catch_exceptions=False)
    assert done.return_value == 0
    return done


def write_pipes(folder: Path, blocks: int) -> Path:
    cube = [(number, "cube0", 200 + number, 0.5, 0.25, "NA", "NA") for number in range(blocks)]
    vector = [(number, "vector0", "NA", "NA", "NA", 50, 0.125) for number in range(blocks)]
    return write_table(folder / "PipeUtilization.csv", PIPES, *cube, *vector)


def table(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines()]
    start = next(index for index, line in enumerate(lines) if line.startswith("core "))
    return [line.split("  ") for line in lines[start : start + 5]]


def test_few_cores_are_listed_one_by_one(tmp_path: Path) -> None:
    text = shown(write_pipes(tmp_path, 1)).output
    (_, cube, vector, *_) = ([cell.strip() for cell in row if cell.strip()] for row in table(text))
    assert cube == ["block 0 cube0", "200.0 µs", "50%", "25%"]
    assert vector == ["block 0 vector0", "50.0 µs", "12%"]


def test_many_cores_are_summed_up_by_kind_with_their_range(tmp_path: Path) -> None:
    text = shown(write_pipes(tmp_path, 20)).output
    (_, cube, vector, *_) = ([cell.strip() for cell in row if cell.strip()] for row in table(text))
    assert cube == ["20 cube", "200.0 – 219.0 µs", "50%", "25%"]
    assert vector[:2] == ["20 vector", "50.0 µs"]


def test_json_has_every_metric_of_every_core(tmp_path: Path) -> None:
    path = tmp_path / "visualize_data.bin"
    path.write_bytes(block(5, base()))
    (file,) = json.loads(shown(path, "--format", "json").output)["files"]
    assert file["parts"][0] == {
        "launch": 0, "part": "block 0 cube0", "metrics": {"duration": {"value": 250.5, "unit": "us"}},
    }  # fmt: skip


def test_cores_without_a_metric_of_the_table_are_not_listed(tmp_path: Path) -> None:
    header = ("block_id", "sub_block_id", "aic_main_mem_read_bw(GB/s)")
    text = shown(write_table(tmp_path / "Memory.csv", header, (0, "cube0", 3))).output
    assert not any(line.strip().startswith("core ") for line in text.splitlines())
