"""Documentation says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tilescope import outputs, reference
from tilescope.main import COMMANDS
from tilescope_server.panels import docs as panel_docs
from tilescope_server.settings.schema import form, page
from tilescope_trace.config.keys import KERNELS, LINT, json_schema
from tilescope_trace.config.keys import ROOT as ROOT_KEYS
from tilescope_trace.config.read import parse
from tilescope_trace.rules.catalog import RULES
from tilescope_trace.rules.docs import pages

ROOT = Path(__file__).parents[2]


def test_every_rule_is_documented_and_the_pages_are_current() -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert found == pages(), "run `make docs`"
    assert all(code == rule.code and rule.doc and rule.summary for code, rule in RULES.items())


def test_every_rule_says_why_it_hurts_and_how_to_fix_it() -> None:
    assert [code for code, rule in RULES.items() if not rule.why.strip()] == []
    assert [code for code, rule in RULES.items() if not rule.fix.strip()] == []


def test_the_configuration_is_documented_and_its_schema_is_current() -> None:
    schema = json_schema()
    assert json.loads((ROOT / "docs" / "config.schema.json").read_text(encoding="utf-8")) == schema, "run `make docs`"
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert [key for table in (ROOT_KEYS, KERNELS, LINT) for key in table.keys if f"`{key}`" not in text] == []
    for example in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
        file = "pyproject.toml" if "[tool.tilescope" in example else "tilescope.toml"
        read = parse(example, file)
        assert read is not None
        assert read.findings == (), example


def test_editor_settings_are_all_documented() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == page(), "run `make docs`"
    properties = form()["properties"]
    assert "tilescope.trusted" not in properties  # the client's to say, not a workspace's
    for setting in properties.values():
        jsonschema.validate(setting["default"], setting)


def test_every_command_is_documented_with_its_options() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert text == reference.page(), "run `make docs`"
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(COMMANDS)
    assert "- `--pass-config K=V`: " in text


def test_every_output_is_documented_with_its_types() -> None:
    text = (ROOT / "docs" / "outputs.md").read_text(encoding="utf-8")
    assert text == outputs.page(), "run `make docs`"
    titles = {title.lower().replace(" ", "-") for title in re.findall(r"^### (.*)$", text, re.MULTILINE)}
    assert set(re.findall(r"\(#([^)]+)\)", text)) <= titles
    assert len(re.findall(r"^#+ (.*)$", text, re.MULTILINE)) == len(titles) + 3


def test_the_methods_for_panels_are_documented() -> None:
    assert (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8") == panel_docs.page(), "run `make docs`"
    assert panel_docs.METHODS.keys() == panel_docs.ANSWERS.keys()


@pytest.mark.parametrize(
    "name",
    ["README.md", "README.zh.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/editors.md", "docs/configuration.md"],
)
def test_links_and_pictures_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)", text)
    assert [
        target for target in targets if "://" not in target and not (ROOT / name).parent.joinpath(target).exists()
    ] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_uses_only_commands_that_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    used = set(re.findall(r"(?:\$ |`)tilescope ([a-z]+)", text))
    assert used
    assert used <= set(COMMANDS)
