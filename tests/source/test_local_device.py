"""The GPU of a machine as a target, from what drivers say."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tilescope_trace.local_device import amd_target, nvidia_target

ASK = "from tilescope_trace.local_device import target_here; print(target_here())"


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("9.0\n", "cuda:sm_90a"),
        ("8.9\n9.0\n", "cuda:sm_89"),
        ("10.0\r\n", "cuda:sm_100a"),
        ("12.0", "cuda:sm_120a"),
        ("77.7\n", None),
        ("[N/A]\n", None),
        ("", None),
        ("No devices were found\n", None),
    ],
)
def test_compute_capabilities(said: str, target: str | None) -> None:
    assert nvidia_target(said) == target


@pytest.mark.parametrize(
    ("versions", "target"),
    [([0, 90402], "hip:gfx942"), ([0, 90010], "hip:gfx90a"), ([0, 0], None), ([0, 20000], None), ([], None)],
)
def test_versions_of_the_amdgpu_driver(versions: list[int], target: str | None) -> None:
    assert amd_target(f"cpu_cores_count 0\ngfx_target_version {one}\nsimd_count 1\n" for one in versions) == target


def _asked(folder: Path, script: str, **environment: str) -> str:
    tool = folder / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    path = os.pathsep.join((environment.pop("PATH", str(folder)), "/usr/bin", "/bin"))
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("CUDA_VISIBLE_DEVICES", "TILESCOPE_DEVICE")
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env={**inherited, "PATH": path, "HIP_VISIBLE_DEVICES": "-1", **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="the tool is a shell script here")
def test_the_tool_is_asked_once_within_its_time_and_from_a_real_place(tmp_path: Path) -> None:
    assert _asked(tmp_path, "echo 8.0") == "cuda:sm_80"
    assert (
        _asked(tmp_path, 'case "$*" in *--id=1*) echo 9.0;; *) echo 8.0;; esac', CUDA_VISIBLE_DEVICES="1")
        == "cuda:sm_90a"
    )
    assert _asked(tmp_path, "echo 8.0; exit 9") == "None"
    assert _asked(tmp_path, "echo 8.0", CUDA_VISIBLE_DEVICES="-1") == "None"
    assert _asked(tmp_path, "echo 8.0", TILESCOPE_DEVICE="none") == "None"
    assert _asked(tmp_path, "echo 8.0", PATH=".") == "None"
