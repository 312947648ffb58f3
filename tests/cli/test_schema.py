"""Published schemas are valid and say which keys may be absent."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tilescope.main import main
from tilescope.schemas import SCHEMAS
from tilescope_passdiff import diff
from tilescope_passdiff.render import json as recording_json
from tilescope_trace.captured import model as captured
from tilescope_trace.model import FileFacts, Finding, Kernel, Launch, Specialization, public
from tilescope_trace.profile import timeline
from tilescope_worker.wire import facts as wire

FOR_EDITORS = {"config", "editor-settings"}
"""In the draft that editors read, and without a tag: people write these."""


@pytest.mark.parametrize("name", sorted(FOR_EDITORS))
def test_schemas_of_what_people_write_are_for_editors(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", name]) == 0
    jsonschema.Draft7Validator.check_schema(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("name", sorted(SCHEMAS.keys() - FOR_EDITORS))
def test_each_schema_is_one(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["schema"] == {"const": f"tilescope.{name}/1"}


def test_the_list_of_schemas_names_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    jsonschema.validate(listed, SCHEMAS["schema"]())
    assert listed["names"] == list(SCHEMAS)


def test_optional_keys_exist() -> None:
    for kind, keys in {**public.OPTIONAL, **public.EMPTY_LEFT_OUT}.items():
        shape = {**vars(timeline), **vars(recording_json), **vars(diff), **vars(wire), **vars(captured)}[kind]
        assert keys <= set(shape.__dataclass_fields__)


def test_optional_keys_are_left_out_and_the_others_stay() -> None:
    finding = Finding("TS102", "error", "k.py", 1, 1, 1, 2, "no", pass_name="tl.LowerTileOp")
    kernel = Kernel(
        name="main",
        qualname="matmul.main",
        line=3,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="default",
        stage="buffers",
        status="failed",
        specialization=Specialization(id="0123456789ab"),
        launch=Launch(grid=(8, "M // 128"), threads=128),
        findings=(finding,),
    )
    document = public.facts_document([FileFacts("k.py", None, (kernel,))])
    jsonschema.validate(document, SCHEMAS["facts"]())
    (file,) = document["files"]
    assert (file["tilelang"], file["findings"]) == (None, [])
    (public_kernel,) = file["kernels"]
    assert public_kernel["launch"] == {
        "grid": [8, "M // 128"],
        "threads": 128,
        "threads_lowered": None,
        "shared_dynamic_bytes": None,
        "shared_static_bytes": None,
    }
    (public_finding,) = public_kernel["findings"]
    assert public_finding["pass"] == "tl.LowerTileOp"
    assert "compiler" not in public_finding
    assert public_finding["help"] is None


def test_a_missing_or_misnamed_key_does_not_validate() -> None:
    document = public.facts_document([FileFacts("k.py", None)])
    del document["files"][0]["tilelang"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMAS["facts"]())
