"""Names of a text and their scopes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilescope_server.bindings import bindings_of

FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "def f(a, *b, c=1, **d):",
            "    x = a",
            "class A:",
            "    x = lambda x: x",
            "\tfor i, (j, é) in x:",
            "        f(x, c=y)",
            "x: int = [x for x in y if (z := x)]",
            "'''",
            "f(",
            ")",
            "async def g(a, /): return a",
            "@T.macro",
            "global x",
        ]
    ),
    max_size=12,
)


@given(FRAGMENTS)
def test_names_stand_where_they_are_said_to(parts: list[str]) -> None:
    text = "\n".join(parts)
    found = bindings_of(text)
    content = text.split("\n")
    for variable in found.variables:
        for place in variable.places:
            assert content[place.line - 1][place.column - 1 : place.end_column - 1] == variable.name == place.name
            assert found.at(place.line, place.column) is not None


def test_scopes_are_pythons() -> None:
    text = "x = 1\nclass A:\n    x = 2\n    def f(self):\n        return x\ndef g(x):\n    return [x for x in x]\n"
    found = bindings_of(text)
    used = found.at(5, 16)
    assert used is not None
    assert [place.line for place in used[1].bound] == [1]
    parameter = found.at(7, 24)
    assert parameter is not None
    assert parameter[1].parameter == 0
