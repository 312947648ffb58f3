from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_server.settings import Settings, read
from tilescope_server.trust import decide


def test_options_become_settings() -> None:
    settings, problems = read({"trusted": True, "target": "cuda:sm_80", "interpreter": "/usr/bin/python3"})
    assert settings == Settings(trusted=True, target="cuda:sm_80", interpreter="/usr/bin/python3")
    assert problems == ()


@pytest.mark.parametrize("value", ["true", 1, None, [True], {"trusted": True}, "yes"])
def test_anything_but_true_is_untrusted(value: object) -> None:
    settings, problems = read({"trusted": value, "interpreter": "/evil/python"})
    trust = decide(settings)
    assert not trust.may_execute
    assert trust.interpreter is None
    assert len(problems) == 1
    assert "initializationOptions.trusted" in problems[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tagret": "x"}, "initializationOptions.tagret: unknown option"),
        ({"target": 3}, "initializationOptions.target: expected a target name, got a number"),
        ({"hints": "no"}, "initializationOptions.hints: expected an object, got a string"),
        ({"hints": {"copy": 1}}, "initializationOptions.hints.copy: expected true or false, got a number (1)"),
        (
            {"hints.maxLength": 3},
            "initializationOptions.hints.maxLength: expected a whole number of characters between 12",
        ),
        ({"debounce": {"maxMs": -1}}, "initializationOptions.debounce.maxMs"),
        ({"debounce": {"minMs": 500}}, "greater than debounce.maxMs"),
        ({"worker": {"memoryMiB": True}}, "initializationOptions.worker.memoryMiB"),
        ({"log": {"level": "loud"}}, "one of error, warning, info, debug"),
        ([1, 2], "expected an object, got an array"),
    ],
)
def test_a_wrong_option_is_named_and_keeps_its_default(options: object, words: str) -> None:
    settings, problems = read(options)
    assert settings == Settings()
    assert len(problems) == 1
    assert words in problems[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    options=json_values
    | st.dictionaries(
        st.sampled_from(["trusted", "target", "passConfigs", "hints", "hints.copy", "worker", "log"]), json_values
    )
)
def test_garbage_never_raises(options: object) -> None:
    settings, _ = read(options)
    assert settings.trusted in (True, False)
