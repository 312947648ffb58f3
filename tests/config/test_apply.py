"""What a configuration says about one file and kernel, and how it stands to other sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.config.apply import for_kernel, is_excluded
from tilescope_trace.config.globs import matches
from tilescope_trace.config.model import Config
from tilescope_trace.config.read import parse
from tilescope_trace.model import Kernel, Options, Snapshot
from tilescope_trace.source.plan import plan_file

KERNEL = """\
import tilelang
import tilelang.language as T

{above}
@tilelang.jit{jit}
def matmul(M, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16")):
        with T.Kernel(1, threads=128):
            pass
    return main

{below}
"""


def configured(text: str) -> Config:
    read = parse(text, "/w/tilescope.toml")
    assert read is not None
    assert read.findings == ()
    return read.config


def kernels(config: str, above: str = "", below: str = "", jit: str = "", **options: object) -> list[Kernel]:
    text = KERNEL.format(above=above, below=below, jit=jit)
    asked = Options(config=configured(config), **options)  # type: ignore[arg-type]
    return list(plan_file(Snapshot("/w/a/gemm.py", text), asked).statics)


def values(kernel: Kernel) -> dict[str, tuple[object, str]]:
    return {name: (one.value, one.origin) for name, one in kernel.specialization.args.items()}


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.py", "/w/a/b.py", True),
        ("a/*.py", "/w/a/b.py", True),
        ("a/*.py", "/w/a/c/b.py", False),
        ("a/**/*.py", "/w/a/b.py", True),
        ("a/**/*.py", "/w/a/c/d/b.py", True),
        ("third_party", "/w/x/third_party/y/z.py", True),
        ("third_party/", "/w/third_party/z.py", True),
        ("a/b", "/w/a/b/c.py", True),
        ("a/b", "/w/a/bc/c.py", False),
        ("a/**", "/w/a/x/y.py", True),
        ("**", "/w/a.py", True),
        ("**/gemm.py", "/w/gemm.py", True),
        ("./a/gemm.py", "/w/a/gemm.py", True),
        ("gemm.py", "/w/gemm.pyi", False),
        ("[!a]?.py", "/w/b1.py", True),
        ("[!a]?.py", "/w/a1.py", False),
        ("[z-a].py", "/w/b.py", False),
        ("[+--].py", "/w/-.py", True),
        ("*.py", "/elsewhere/a.py", False),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, [pattern], "/w") is expected


def test_files_are_excluded_by_globs_below_the_configuration() -> None:
    config = configured("exclude = ['old', 'a/*.py']")
    assert is_excluded(config, "/w/x/old/k.py")
    assert is_excluded(config, "/w/a/k.py")
    assert not is_excluded(config, "/w/k.py")
    assert not is_excluded(Config(), "/w/a/k.py")


def test_arguments_have_their_origin_file_and_line() -> None:
    (kernel,) = kernels("[[kernels]]\nargs = { M = 8 }")
    assert values(kernel) == {"M": (8, "config"), "N": (64, "default")}
    argument = kernel.specialization.args["M"]
    assert (argument.file, argument.line) == (str(Path("/w/tilescope.toml")), 2)
    assert kernel.specialization.origin == "default"


def test_several_specializations_are_several_kernels_and_equal_ones_are_one() -> None:
    config = "[[kernels]]\nargs = [{ M = 8 }, { M = 16, N = 2 }, { M = 8, other = 1 }]"
    assert [values(one)["M"][0] for one in kernels(config)] == [8, 16]
    assert [values(one)["M"] for one in kernels(config, arguments={"M": "4", "N": "4"})] == [(4, "command-line")]


def test_a_later_entry_wins_and_the_one_before_fills_in() -> None:
    config = """
[[kernels]]
args = { M = 8, N = 16 }
targets = "metal"
pass_configs = { a = 1, b = 1 }
[[kernels]]
files = "a/*.py"
kernel = "matmul"
args = [{ M = 1 }, { M = 2 }]
pass_configs = { b = 2 }
[[kernels]]
files = "b/*.py"
args = { M = 3 }
[[kernels]]
kernel = "other"
args = { M = 4 }
"""
    made = kernels(config)
    assert [(values(one)["M"][0], values(one)["N"][0], one.target) for one in made] == [
        (1, 16, "metal"),
        (2, 16, "metal"),
    ]
    assert made[0].specialization.pass_configs == {"a": 1, "b": 2}


def test_a_directive_goes_before_the_configuration_and_that_before_a_call() -> None:
    config = "[[kernels]]\nargs = [{ M = 8, N = 9 }, { M = 10 }]"
    (kernel,) = kernels(config, above="# tilescope: M=1")
    assert values(kernel) == {"M": (1, "directive"), "N": (9, "config")}
    assert [values(one)["M"] for one in kernels(config, below="matmul(5, 6)")] == [(8, "config"), (10, "config")]
    (kernel,) = kernels("[[kernels]]\nargs = { N = 9 }", below="matmul(5, 6)")
    assert values(kernel) == {"M": (5, "call"), "N": (9, "config")}


def test_targets_and_pass_configs_in_their_order() -> None:
    config = "targets = ['metal', 'c']\npass_configs.x = 1"
    assert [(one.target, one.target_origin) for one in kernels(config, below="matmul(1)")] == [
        ("metal", "config"),
        ("c", "config"),
    ]
    (kernel,) = kernels(config, jit="(target='hip -mcpu=gfx942')", below="matmul(1)")
    assert (kernel.target, kernel.target_origin) == ("hip:gfx942", "source")
    assert kernel.specialization.pass_configs == {"x": 1}
    (kernel,) = kernels(config, above="# tilescope: target=webgpu", below="matmul(1)", pass_configs={"x": 2})
    assert (kernel.target, kernel.target_origin) == ("webgpu", "directive")
    assert kernel.specialization.pass_configs == {"x": 2}


def test_names_that_a_named_kernel_lacks_are_noted_and_others_passed_over() -> None:
    config = "[[kernels]]\nargs = { M = 1, batch = 2 }\n[[kernels]]\nkernel = 'matmul'\nargs = { K = 3, N = 4 }"
    (kernel,) = kernels(config)
    assert values(kernel) == {"M": (1, "config"), "N": (4, "config")}
    assert [note for note in kernel.notes if "tilescope.toml" in note] == [
        f"{Path('/w/tilescope.toml')}:5: matmul.main has no parameter 'K'; its parameters: M, N"
    ]


def test_no_configuration_says_nothing() -> None:
    assert for_kernel(None, "/w/k.py", "f").specializations == ()
    assert for_kernel(Config(), "/w/k.py", "f").targets == ()
