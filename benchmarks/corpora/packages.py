"""Public packages that carry kernels: fetched from a package index, checked, unpacked, never built or installed."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import re
import shutil
import tarfile
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_JSON = "application/vnd.pypi.simple.v1+json"
_KERNEL = re.compile(r"prim_func|tilelang\.jit|@jit")


@dataclass(frozen=True)
class Package:
    """A source distribution. ``folders`` of it hold the files to analyse, those that match ``leave_out`` (globs over
    paths in the package) not counted; ``targets`` names the target of files that do not say it themselves."""

    name: str
    version: str
    sha256: str
    folders: tuple[str, ...]
    leave_out: tuple[str, ...] = ()
    targets: tuple[tuple[str, str], ...] = ()

    def targets_of(self, file: str) -> tuple[str, ...]:
        """The target to ask for, empty where the file decides (or nothing does)."""
        return next(((target,) for glob, target in self.targets if fnmatch.fnmatch(file, glob)), ())

    def files(self, root: Path) -> list[Path]:
        """Python files that may hold kernels, sorted."""
        found = (path for folder in self.folders for path in (root / folder).rglob("*.py"))
        wanted = [
            path
            for path in found
            if not any(fnmatch.fnmatch(str(path.relative_to(root)), glob) for glob in self.leave_out)
        ]
        return sorted(path for path in wanted if _KERNEL.search(path.read_text("utf-8", "replace")))


PACKAGES: tuple[Package, ...] = (
    Package(
        "tilelang",
        "0.1.14",
        "7ae0fba6c63dae80b3c9c5c11a70bb8d7165794994f290f36e2fe87bfb143cfc",
        ("examples",),
        # Drivers of other examples, and two programs that have a fault on purpose.
        leave_out=("examples/*/test_*.py", "examples/autodd/*"),
        targets=(
            ("examples/*sm100*", "cuda:sm_100a"),
            ("examples/aws/*", "cuda:sm_100a"),
            ("examples/gemm_tcgen05/*", "cuda:sm_100a"),
            ("examples/*sm120*", "cuda:sm_120a"),
            ("examples/amd/*", "hip:gfx942"),
            ("examples/*/amd/*", "hip:gfx942"),
            ("examples/gemm_fp8/*amd*", "hip:gfx942"),
            ("examples/*cdna4*", "hip:gfx950"),
        ),
    ),
    Package(
        "tile-kernels", "1.0.0", "259b7d70219cce6afa868f724c3032936c6ae331239285b1111554c4baa46eb3", ("tile_kernels",)
    ),
    Package("rwkv-tl", "0.2.1", "c7ce70fc5b48a6d15c78756324c651ee9e485d4bf3154641a79c5952119b09a0", ("src",)),
)


def default_cache() -> Path:
    """Where packages are kept: below the user's cache folder."""
    return platformdirs.user_cache_path("tilescope") / "corpus"


def fetch(package: Package, cache: Path) -> Path:
    """The folder of the unpacked package, downloaded when it is not there yet."""
    stem = f"{package.name.replace('-', '_')}-{package.version}"
    root, archive = cache / stem, cache / f"{stem}.tar.gz"
    if root.is_dir():
        return root
    cache.mkdir(parents=True, exist_ok=True)
    if not archive.is_file():
        _download(package, f"{stem}.tar.gz", archive)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        archive.unlink()
        raise SystemExit(f"{archive.name}: the hash is {found}, not {package.sha256}; removed, run again")
    partial = cache / f"{stem}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    _unpack(archive, partial, (*package.folders, "LICENSE", "PKG-INFO"))
    (partial / stem).rename(root)
    shutil.rmtree(partial)
    return root


def _download(package: Package, name: str, archive: Path) -> None:
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    request = urllib.request.Request(f"{index}/{package.name}/", headers={"Accept": _JSON})
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    url = next((file["url"] for file in files if file["filename"] == name), None)
    if url is None:
        raise SystemExit(f"{index} has no {name}")
    partial = archive.with_suffix(".partial")
    with urllib.request.urlopen(url, timeout=60) as answer, partial.open("wb") as file:
        shutil.copyfileobj(answer, file)
    partial.rename(archive)


def _unpack(archive: Path, folder: Path, wanted: Sequence[str]) -> None:
    """The wanted folders of an archive: plain files with plain names only."""
    with tarfile.open(archive) as tar:
        for member in tar:
            _, _, inner = member.name.partition("/")
            plain = member.isfile() and not member.name.startswith("/") and ".." not in Path(member.name).parts
            if plain and any(inner == name or inner.startswith(f"{name}/") for name in wanted):
                member.mode = 0o644
                tar.extract(member, folder)
