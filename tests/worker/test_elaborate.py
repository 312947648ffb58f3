"""Every form in which a kernel stands in a file gives its facts, with the arguments and configs of a real compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import KERNELS, Answers, Run, run_text

FORMS = [
    ("add_lazy.main", "lazy", {"N": "1024"}, {"N": "command-line", "block": "default", "dtype": "default"}),
    ("add_pf", "prim_func", {}, {}),
    ("factory.inner", "factory", {"N": "1024"}, {"N": "command-line"}),
    ("add_eager", "eager", {"N": "1024"}, {"N": "command-line", "block": "default"}),
    ("add_eager_ret", "eager", {"N": "1024"}, {"N": "command-line", "block": "default"}),
    ("add_tuned.main", "autotune", {"N": "1024"}, {"N": "command-line", "block": "autotune"}),
    ("add_dyn.main", "lazy", {}, {"block": "default"}),
    ("with_macro.main", "lazy", {"N": "1024"}, {"N": "command-line", "block": "default"}),
    ("eager_fixed", "eager", {}, {}),
]
SHAPES = "elaboration_shapes.py"


def assumed(answers: Answers) -> set[str]:
    """Names of the arguments that the kernel was compiled with for want of others."""
    assert (answers.failures, answers.done.status) == ([], "ok")
    return {name for name, one in answers.kernel.specialization.args.items() if one.origin == "assumed"}


@pytest.mark.parametrize(("name", "form", "arguments", "origins"), FORMS, ids=[form[0] for form in FORMS])
def test_form(kernel_file: Run, name: str, form: str, arguments: dict[str, str], origins: dict[str, str]) -> None:
    answers = kernel_file("kernel_forms.py", name, **arguments)
    kernel = answers.kernel
    assert (answers.done.status, kernel.status, kernel.stage) == ("ok", "ok", "lowered")
    assert (kernel.form, kernel.qualname, kernel.name) == (form, name, name.rpartition(".")[2])
    assert {n: argument.origin for n, argument in kernel.specialization.args.items()} == origins
    assert answers.stages == ["buffers", "layouts", "lowered"]
    assert not answers.failures


def test_several_kernels_named_main_in_one_job(kernel_file: Run) -> None:
    answers = kernel_file("kernel_forms.py", "add_lazy.main", "add_dyn.main", "with_macro.main", N="2048", target="c")
    named = [failure for failure in answers.failures if failure.exception == "ArgumentError"]
    assert [failure.request for failure in named] == [1], "add_dyn has no N"
    kernels = {update.request: update.kernel.qualname for update in answers.of(type(answers.events[1]))}
    assert kernels == {0: "add_lazy.main", 2: "with_macro.main"}


@pytest.mark.parametrize(
    ("name", "missing"),
    [("add_lazy.main", ("N",)), ("add_eager", ("N",)), ("add_tuned.main", ("N",)), ("factory.inner", ("N",))],
)
def test_missing_arguments_that_cannot_be_assumed_are_named(run: Run, name: str, missing: tuple[str, ...]) -> None:
    text = (KERNELS / "kernel_forms.py").read_text()
    text = text.replace("T.Kernel(T.ceildiv(N, block)", "T.Kernel(N.no_number").replace(
        "T.Kernel(N //", "T.Kernel(N.no //"
    )
    answers = run(KERNELS / "kernel_forms.py", text, name)
    assert answers.done.status == "unresolved"
    assert (answers.failure.phase, answers.failure.severity, answers.failure.missing) == (
        "arguments",
        "info",
        missing,
    )
    assert (answers.kernel.status, answers.kernel.stage, answers.kernel.missing) == ("unresolved", "static", missing)


def test_missing_sizes_of_an_eager_kernel_are_assumed_together_with_parameters(kernel_file: Run) -> None:
    assert assumed(kernel_file(SHAPES, "sizes")) == {"block", "M", "N"}
    assert assumed(kernel_file(SHAPES, "sizes", block="128", N="256")) == {"M"}


def test_eager_kernel_with_every_size(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "sizes", block="128", N="256", M="4").kernel
    assert kernel.launch is not None
    assert kernel.launch.grid == (2, 4)
    assert kernel.specialization.args["dtype"].value == "float32"


@pytest.mark.parametrize("name", ["add_lazy.main", "add_eager", "add_tuned.main", "factory.inner", "add_pf"])
def test_unknown_argument_is_refused_by_name(kernel_file: Run, name: str) -> None:
    answers = kernel_file("kernel_forms.py", name, N="1024", blok="3")
    assert answers.done.status == "failed"
    assert answers.failure.phase == "arguments"
    assert "'blok'" in answers.failure.message or "'N'" in answers.failure.message


@pytest.mark.parametrize("text", ["2 * 64", "os.getpid()", "T.nonsense", "lambda: 1"])
def test_value_that_is_no_literal_is_refused(kernel_file: Run, text: str) -> None:
    answers = kernel_file("kernel_forms.py", "add_lazy.main", N=text)
    assert answers.done.status == "failed"
    assert "'N'" in answers.failure.message


@pytest.mark.parametrize("text", ["float16", "'float16'", "T.float16"])
def test_dtype_may_be_written_bare_quoted_or_dotted(kernel_file: Run, text: str) -> None:
    kernel = kernel_file("kernel_forms.py", "add_lazy.main", N="1024", dtype=text, target="c").kernel
    assert kernel.specialization.args["dtype"].value == "float16"
    assert {buffer.dtype for buffer in kernel.buffers} == {"float16"}


def test_equal_specializations_have_equal_ids(kernel_file: Run) -> None:
    def specialization(**options: object) -> str:
        return kernel_file("kernel_forms.py", "add_lazy.main", **options).kernel.specialization.id

    plain = specialization(N="1024")
    assert plain == specialization(N="0x400")
    assert len({plain, specialization(N="2048"), specialization(N="1024", configs={"tl.disable_wgmma": True})}) == 3
    assert len(plain) == 12
    assert int(plain, 16) >= 0


def test_cached_factory_of_a_jit_factory(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "cached.inner.main", N="1024", threads="128").kernel
    assert (kernel.status, kernel.form, kernel.qualname) == ("ok", "lazy", "cached.inner.main")
    assert set(kernel.specialization.args) == {"N", "dtype", "threads", "block"}


def test_method_that_compiles_its_kernel(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "Scaler.build.main", N="1024").kernel
    assert kernel.status == "ok"
    assert {name: a.value for name, a in kernel.specialization.args.items()} == {
        "N": 1024,
        "factor": 2.0,
        "block": 128,
    }
    assert kernel.specialization.pass_configs == {"tl.disable_wgmma": True}
    assert kernel.specialization.compile_flags == ("-O1",)


def test_method_without_the_arguments_of_its_class(kernel_file: Run) -> None:
    assert assumed(kernel_file(SHAPES, "Scaler.build.main")) == {"N"}


METHOD = """import tilelang
import tilelang.language as T
import torch

class Model(torch.nn.Module):
    def __init__(self, width=256, block=64):
        super().__init__()
        {init}
        self.width, self.block = width, block

    def kernel(self):
        width, block = self.width, self.block
        @T.prim_func
        def main(A: T.Tensor((width,), "float32")):
            with T.Kernel(width // block, threads=128) as bx:
                for i in T.Parallel(block):
                    A[bx * block + i] = 1.0
        return main
"""


def test_method_of_a_class_whose_constructor_fails(run: Run, tmp_path: Path) -> None:
    text = METHOD.format(init="open('weights.bin')")
    answers = run(tmp_path / "model.py", text, "Model.kernel.main", target="c", width="512")
    assert (answers.failures, answers.done.status) == ([], "ok")
    assert answers.kernel.launch is not None
    assert answers.kernel.launch.grid == (8,)
    assert any("FileNotFoundError in the constructor of Model" in note for note in answers.kernel.notes)
    text = text.replace("self.width, self.block = width, block", "self.size = width").replace(
        "self.width,", "self.size,"
    )
    answers = run(tmp_path / "model.py", text, "Model.kernel.main", target="c")
    assert answers.failures[0].exception == "FileNotFoundError"


def test_eager_kernel_in_a_class(kernel_file: Run) -> None:
    assert kernel_file(SHAPES, "Scaler.eager").kernel.form == "eager"


@pytest.mark.parametrize(("name", "blocks"), [("forward", 8), ("backward", 4)])
def test_factory_of_two_kernels(kernel_file: Run, name: str, blocks: int) -> None:
    kernel = kernel_file(SHAPES, f"pair.{name}", N="1024").kernel
    assert kernel.launch is not None
    assert kernel.launch.grid == (blocks,)


def test_autotune_config_of_a_callable(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "tuned.main", N="1024").kernel
    block = kernel.specialization.args["block"]
    assert (block.value, block.origin) == (128, "autotune")
    assert kernel.specialization.pass_configs == {"tl.disable_wgmma": True, "tl.disable_tma_lower": True}
    assert kernel.specialization.origin == "default"


def test_arguments_come_over_the_autotune_config_and_reach_its_callable(kernel_file: Run) -> None:
    large = kernel_file(SHAPES, "tuned.main", N="1024", large="True").kernel
    assert large.specialization.args["block"].value == 256
    chosen = kernel_file(SHAPES, "tuned.main", N="1024", block="32").kernel
    assert (chosen.specialization.args["block"].value, chosen.launch and chosen.launch.grid) == (32, (32,))


def test_definition_that_was_executed_of_two_with_one_name(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "chosen.main").kernel
    assert kernel.launch is not None
    assert kernel.launch.threads == 128


def test_definition_that_was_not_executed(kernel_file: Run) -> None:
    answers = kernel_file(SHAPES, "chosen.main", nth=1)
    assert answers.done.status == "unresolved"
    assert "chosen" in answers.failure.message


def test_factory_that_returns_no_kernel(kernel_file: Run) -> None:
    answers = kernel_file(SHAPES, "nothing", N="3")
    assert answers.done.status == "failed"
    assert "int" in answers.failure.message


def test_tuner_inside_a_factory(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "best_of.kernel.main", N="1024").kernel
    assert (kernel.status, kernel.form) == ("ok", "autotune")
    assert {name: (a.value, a.origin) for name, a in kernel.specialization.args.items()} == {
        "N": (1024, "command-line"),
        "dtype": ("float32", "default"),
        "block": (128, "autotune"),
        "threads": (64, "autotune"),
    }
    assert kernel.specialization.pass_configs == {"tl.disable_wgmma": True}


def test_autotuned_kernel_called_inside_a_factory(kernel_file: Run) -> None:
    kernel = kernel_file(SHAPES, "tuned_inside.inner.main", N="512").kernel
    assert kernel.launch is not None
    assert (kernel.form, kernel.launch.grid) == ("autotune", (8,))
    assert kernel.specialization.args["block"].origin == "autotune"
    assert kernel.specialization.pass_configs == {"tl.disable_wgmma": True, "tl.disable_tma_lower": True}


@pytest.mark.parametrize(
    "decorator",
    [
        "@functools.lru_cache(None)",
        "def kept(fn):\n @functools.wraps(fn)\n def call(*a, **k):\n  return fn(*a, **k)\n return call\n@kept",
    ],
)
def test_defaults_of_a_decorated_kernel_are_its_arguments(kernel_file: Run, tmp_path: Path, decorator: str) -> None:
    text = kernel_file("runtime_shapes.py", "rows.main").text
    text = text.replace("@tilelang.jit\ndef rows", f"import functools\n{decorator}\n@tilelang.jit\ndef rows")
    found = run_text(tmp_path / "k.py", text, "rows.main", N="128").kernel.specialization
    assert {name: (one.value, one.origin) for name, one in found.args.items()} == {
        "M": (1024, "default"),
        "N": (128, "command-line"),
    }


@pytest.mark.parametrize("condition", ["True", "False"])
def test_a_definition_that_is_not_in_force_is_no_error(kernel_file: Run, tmp_path: Path, condition: str) -> None:
    head, rows = kernel_file("runtime_shapes.py", "rows.main").text.split("@tilelang.jit\ndef rows")
    rows = "    @tilelang.jit\n    def rows" + rows.replace("\n", "\n    ")
    text = f"{head}\nif {condition}:\n{rows}\nelse:\n{rows}\n"
    answers = run_text(tmp_path / "k.py", text, "rows.main", nth=int(condition == "True"))
    assert answers.done.status == "unresolved"
    assert answers.failure.severity == "info"
    assert answers.failure.message == "rows is not compiled: another definition of it is in force"


def test_values_that_json_has_no_form_for_are_written_as_in_python(kernel_file: Run, tmp_path: Path) -> None:
    text = kernel_file("runtime_shapes.py", "rows.main").text.replace(
        "N=256):", "N=256, table={64: 128}, named={'a': 1}):"
    )
    args = run_text(tmp_path / "k.py", text, "rows.main", M="256").kernel.specialization.args
    assert args["table"].value == "{64: 128}"
    assert args["named"].value == {"a": 1}


def test_names_of_dtypes_become_what_the_annotations_ask_for(run: Run, tmp_path: Path) -> None:
    text = """\
import torch
import tilelang.language as T

def copy(dtype: T.dtype, seen: "T.dtype", result: torch.dtype, name: str):
    assert 128 // dtype.bytes == 64 and seen.bits == 8 and result is torch.bfloat16 and type(name) is str

    @T.prim_func
    def main(A: T.Tensor((128,), dtype), B: T.Tensor((128,), dtype)):
        with T.Kernel(1, threads=128):
            T.copy(A, B)

    return main
"""
    given = {"dtype": "float16", "seen": "int8", "result": "bfloat16", "name": "float16"}
    answers = run(tmp_path / "user.py", text, "copy.main", target="c", **given)
    assert (answers.failures, answers.done.status) == ([], "ok")
    assert {name: one.value for name, one in answers.kernel.specialization.args.items()} == given
