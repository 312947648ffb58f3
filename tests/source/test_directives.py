"""Comments above a kernel give it arguments and targets; what cannot be understood is said."""

from __future__ import annotations

import pytest

KERNEL = """
import tilelang
import tilelang.language as T

{above}
@tilelang.jit
def f(M, N=64, dtype="float16"):
    {inner}
    @T.prim_func
    def main(A: T.Tensor((M, N), dtype)):
        with T.Kernel(1, threads=128):
            pass
    return main
"""


def text(above: str = "", inner: str = "") -> str:
    return KERNEL.format(above=above, inner=inner)


def arguments(kernel):
    return {name: (a.value, a.origin, a.line) for name, a in kernel.specialization.args.items()}


def test_arguments_and_targets(plan):
    made = plan(text("# tilescope: M=1024, dtype=T.bfloat16 target=cuda:sm_80 target=hip:gfx942"))
    assert [(k.target, k.target_origin) for k in made.statics] == [
        ("cuda:sm_80", "directive"),
        ("hip:gfx942", "directive"),
    ]
    assert arguments(made.statics[0]) == {
        "M": (1024, "directive", 5),
        "N": (64, "default", 7),
        "dtype": ("bfloat16", "directive", 5),
    }
    assert {n: a.text for n, a in made.requests[0].arguments.items()} == {"M": "1024", "dtype": "'bfloat16'"}
    assert made.findings == ()


def test_the_older_form_and_the_inner_definition(plan):
    made = plan(text("# <typecheck> M=8", "# tilescope: N=(1 , 2)"))
    assert arguments(made.statics[0])["M"] == (8, "directive", 5)
    assert arguments(made.statics[0])["N"] == ([1, 2], "directive", 8)


def test_lines_add_up_until_a_name_repeats(plan):
    made = plan(text("# tilescope: M=1\n# tilescope: N=2\n# a remark\n# tilescope: M=3 target=metal"))
    assert [{n: v[0] for n, v in arguments(k).items() if n != "dtype"} for k in made.statics] == [
        {"M": 1, "N": 2},
        {"M": 3, "N": 64},
    ]
    assert [(k.target, k.target_origin) for k in made.statics] == [("cuda:sm_90a", "default"), ("metal", "directive")]


def test_each_specialization_may_have_its_own_target_and_a_line_of_targets_is_for_the_others(plan):
    made = plan(
        text("# tilescope: target=hip:gfx942\n# tilescope: M=1 target=metal\n# tilescope: M=2\n# <typecheck> M=3")
    )
    assert [(k.specialization.args["M"].value, k.target) for k in made.statics] == [
        (1, "metal"),
        (2, "hip:gfx942"),
        (3, "hip:gfx942"),
    ]


@pytest.mark.parametrize(
    ("directive", "line", "message"),
    [
        ("# tilescope: M", 5, "'M' is not of the form NAME=VALUE"),
        ("# tilescope: M=1 2", 5, "'2' is not of the form NAME=VALUE"),
        ("# tilescope: M=bM", 5, "value of 'M' is neither a Python literal nor a dtype name: 'bM'"),
        ("# tilescope: Q=1", 5, "f.main has no parameter 'Q'; its parameters: M, N, dtype"),
        (
            "# tilescope: dtpye=1",
            5,
            "f.main has no parameter 'dtpye'; did you mean dtype? its parameters: M, N, dtype",
        ),
        (
            "# tilescope: targets='c'",
            5,
            "f.main has no parameter 'targets'; did you mean target? its parameters: M, N, dtype",
        ),
        ("# tilescope: target=cuda", 5, "unknown target 'cuda': cuda needs an architecture, such as cuda:sm_90a"),
        ("# tilescope:", 5, "this directive says nothing"),
        ("# tilescope: M=8 M=9", 5, "'M' is given twice; write another specialization on a line of its own"),
        ("# tilescope: M=1\nx = 1", 5, "this directive stands above no kernel"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(plan, directive, line, message):
    (finding,) = plan(text(directive)).findings
    assert (finding.code, finding.severity, finding.line, finding.message) == ("TS006", "warning", line, message)
    assert finding.column < finding.end_column


def test_suppressions_and_strings_are_not_ours(plan):
    assert plan(text("# tilescope: ignore[TS203]", '"""\n# tilescope: what?\n"""')).findings == ()
