"""The kernel's own pass configs and compile flags are always applied: without them the facts are wrong."""

from __future__ import annotations

from .conftest import Answers, Run, run_text

FILE, KERNEL = "plain_copies_gemm.py", "matmul.gemm_relu"


def copies(answers: Answers) -> set[str]:
    """What the loads from global memory became."""
    lines = {answers.line("T.copy(A["), answers.line("T.copy(B[")}
    return {name for op in answers.kernel.operations if op.line in lines for name in op.lowered_to}


def test_configs_of_the_decorator_decide_threads_and_copies(kernel_file: Run) -> None:
    own = kernel_file(FILE, KERNEL)
    assert own.kernel.specialization.pass_configs == {
        "tl.disable_warp_specialized": True,
        "tl.disable_tma_lower": True,
    }
    assert own.kernel.launch is not None
    assert (own.kernel.launch.threads, own.kernel.launch.threads_lowered) == (256, 256)
    assert copies(own) == {"cp_async"}


def test_without_them_other_facts_follow(kernel_file: Run) -> None:
    own = "\n".join(
        f"        tilelang.PassConfigKey.{key}: True,"
        for key in ("TL_DISABLE_WARP_SPECIALIZED", "TL_DISABLE_TMA_LOWER")
    )
    bare = kernel_file(FILE, KERNEL, edit=(own, ""))
    assert bare.kernel.specialization.pass_configs == {}
    assert bare.kernel.launch is not None
    assert (bare.kernel.launch.threads, bare.kernel.launch.threads_lowered) == (256, 384)
    assert copies(bare) == {"tma_load"}


def test_configs_of_the_request_come_over_the_kernels_own(kernel_file: Run) -> None:
    answers = kernel_file(FILE, KERNEL, configs={"tl.disable_warp_specialized": False, "TL_DISABLE_TMA_LOWER": False})
    assert set(answers.kernel.specialization.pass_configs.values()) == {False}
    assert copies(answers) == {"tma_load"}


def test_compile_flags_are_the_kernels(kernel_file: Run) -> None:
    assert kernel_file(FILE, KERNEL).kernel.specialization.compile_flags == ("-O3", "--use_fast_math")


def test_annotations_in_the_body_are_weaker_than_the_decorator(kernel_file: Run) -> None:
    found = kernel_file("elaboration_shapes.py", "cached.inner.main", N="1024", threads="128").kernel.specialization
    assert found.pass_configs == {"tl.disable_wgmma": True, "tl.disable_tma_lower": True}
    assert found.compile_flags == ("-lineinfo",)


def test_unknown_pass_config_is_refused_by_name(kernel_file: Run) -> None:
    answers = kernel_file("kernel_forms.py", "add_pf", configs={"tl.no_such_thing": True})
    assert answers.done.status == "failed"
    assert answers.failure.phase == "arguments"
    assert "tl.no_such_thing" in answers.failure.message
    assert len(answers.failure.message) < 200


def test_a_factory_that_the_file_makes_a_kernel_of_has_its_configs(kernel_file: Run) -> None:
    text = kernel_file("runtime_shapes.py", "rows.main").text
    text = text.replace("@tilelang.jit\ndef rows", "def rows")
    text += '\nkernel = tilelang.jit(pass_configs={"tl.disable_tma_lower": True}, compile_flags=["-O3"])(rows)\n'
    answers = run_text("made_kernel.py", text, "rows.main")
    assert answers.kernel.form == "lazy"
    assert answers.kernel.specialization.pass_configs == {"tl.disable_tma_lower": True}
    assert answers.kernel.specialization.compile_flags == ("-O3",)
