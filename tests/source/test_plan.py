"""What is asked for is found, and what does not exist is refused with the names that do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file

TWO = """
import tilelang
import tilelang.language as T

@tilelang.jit
def first(M=8):
    @T.prim_func
    def main(A: T.Tensor((M,), "int8")): pass
    return main

@tilelang.jit
def second(N=8):
    @T.prim_func
    def main(A: T.Tensor((N,), "int8")): pass
    return main
"""


def names(made) -> list[str]:
    return [kernel.qualname for kernel in made.statics]


@pytest.mark.parametrize(
    ("kernel", "found"),
    [
        (None, ["first.main", "second.main"]),
        ("first", ["first.main"]),
        ("second.main", ["second.main"]),
    ],
)
def test_kernels_are_picked_by_a_suffix(plan, kernel, found):
    made = plan(TWO, kernel=kernel)
    assert names(made) == found
    assert [request.chain[0][0] for request in made.requests] == [name.split(".")[0] for name in found]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "main"}, "kernel 'main' is ambiguous: first.main, second.main"),
        ({"kernel": "frist"}, "no kernel 'frist'; kernels here: first.main, second.main"),
        (
            {"kernel": "first.mian"},
            "no kernel 'first.mian'; did you mean first.main? kernels here: first.main, second.main",
        ),
        ({"arguments": {"Q": "1"}}, "no kernel has a parameter 'Q'; parameters of first.main: M; second.main: N"),
        ({"kernel": "first", "arguments": {"N": "1"}}, "no kernel has a parameter 'N'; parameters of first.main: M"),
        ({"arguments": {"M": "os.system()"}}, "M=os.system(): neither a Python literal nor a dtype name"),
        ({"targets": ("cuda",)}, "unknown target 'cuda': cuda needs an architecture, such as cuda:sm_90a"),
    ],
)
def test_bad_usage_gives_one_clear_message(plan, options, message):
    with pytest.raises(UsageError) as caught:
        plan(TWO, **options)
    assert str(caught.value) == message


def test_one_static_and_one_request_for_each_target(plan):
    made = plan(TWO, kernel="first", targets=("cuda:sm_80", "ascend"), pass_configs={"tl.x": True})
    assert [(k.target, k.target_origin) for k in made.statics] == [
        ("cuda:sm_80", "command-line"),
        ("ascend", "command-line"),
    ]
    assert [r.target for r in made.requests] == ["cuda:sm_80", "ascend"]
    assert made.requests[0].pass_configs == {"tl.x": True}
    assert made.statics[0].specialization.pass_configs == {"tl.x": True}


def test_a_file_without_kernels_is_an_empty_plan(plan):
    made = plan("print('hello')\n")
    assert (made.statics, made.requests, made.findings) == ((), (), ())


def test_a_syntax_error_is_a_finding_and_kernels_stay(plan):
    made = plan(TWO.replace("def second(N=8):", "def second(N=8"))
    (finding,) = made.findings
    assert (finding.code, finding.severity, finding.line, finding.message) == (
        "TS001",
        "error",
        12,
        "'(' was never closed",
    )
    assert names(made) == ["first.main", "second.main"]


def test_kernels_survive_while_the_import_is_being_typed(plan):
    made = plan(TWO.replace("import tilelang.language as T", "import tilelang.language as "))
    assert names(made) == ["first.main", "second.main"]


def test_a_branch_that_is_not_taken_is_not_compiled(plan):
    text = """
    import tilelang.language as T

    def f(wide=True):
        if wide:
            @T.prim_func
            def main(A: T.Tensor((128,), "int8")): pass
        else:
            @T.prim_func
            def main(A: T.Tensor((8,), "int8")): pass
        return main
    """
    assert [k.line for k in plan(text).statics] == [7]
    assert [k.line for k in plan(text, arguments={"wide": "False"}).statics] == [10]
    assert [k.line for k in plan(text.replace("wide=True", "wide")).statics] == [7, 10]


def test_a_kernel_its_factory_refuses_to_build_stays_visible(plan):
    made = plan(TWO.replace("def first(M=8):", "def first(M=8):\n    if M % 16: raise ValueError(M)"))
    assert names(made) == ["first.main", "second.main"]


FORMS = (Path(__file__).parent.parent / "kernels" / "kernel_forms.py").read_text("utf-8")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(FORMS)), st.integers(0, 30), st.text(max_size=5) | st.sampled_from(FORMS.split()))
def test_any_edit_has_a_plan_with_facts_inside_the_text(start, length, inserted):
    text = FORMS[:start] + inserted + FORMS[start + length :]
    made = plan_file(Snapshot("k.py", text), Options())
    assert len(made.statics) == len(made.requests)
    for kernel in made.statics:
        for fact in (*kernel.buffers, *kernel.operations):
            assert 1 <= fact.column < fact.end_column <= len(made.parsed.lines[fact.line - 1]) + 1
