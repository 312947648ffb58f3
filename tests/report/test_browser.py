"""The page as a reader uses it."""

from __future__ import annotations

import dataclasses
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.recordings import GEMM, INFO, REAL_GEMM, SOURCE, Step, text_hash, write_steps

from tilescope_trace.model import Buffer, Finding, SourceFile
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Generated


def numbers(page: Any, selector: str) -> list[int]:
    """The first line number of each row that is linked."""
    texts = page.locator(f"{selector} .row.linked").all_inner_texts()
    return [int(re.findall(r"\d+", text)[0]) for text in texts]


def test_it_opens_on_the_inference_of_layouts_and_lists_changed_passes(opened, make_recording) -> None:
    page = opened(make_recording())
    assert page.title() == "matmul.main for cuda:sm_90a · tilescope"
    assert page.locator("#pass-list .pass .label").all_inner_texts() == [
        "tirx.BindTarget",
        "tl.InjectSoftwarePipeline",
        "tl.LayoutInference",
        "tl.LowerTileOp",
        "tl.Simplify#2",
    ]
    assert page.locator("#pass-title").inner_text() == "4 tl.LayoutInference"
    assert page.locator("#pass-list .phase").all_inner_texts() == ["pipeline_cuda"]
    page.locator("#changed").uncheck()
    assert page.locator("#pass-list .pass").count() == len(GEMM)
    assert page.locator("#pass-6 .label").evaluate("node => node.style.paddingLeft") == "12px"
    page.locator("#filter").fill("lyinf")
    assert page.locator("#pass-list .label").all_inner_texts() == ["tl.LayoutInference"]


def test_a_python_line_leads_to_its_ir_and_generated_lines_and_back(opened, sourced_gemm: Path) -> None:
    gemm = next(number for number, line in enumerate(REAL_GEMM.split("\n"), start=1) if "T.gemm(" in line)
    page = opened(sourced_gemm)
    page.locator("#filter").fill("LowerTileOp")
    page.locator("#pass-list .pass").first.click()
    page.locator("#source-rows .row", has_text="T.gemm(").click()
    assert page.locator("#diff-rows .row.linked", has_text="wgmma").count()
    assert page.locator("#generated-rows .row.linked", has_text="wgmma").count()
    assert f":{gemm}" in page.locator("#link").inner_text()
    assert "changed in" in page.locator("#link").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".row.linked").count() == 0
    page.locator("#diff-rows .row.come", has_text="initialize_wgmma_descriptor").first.click()
    assert numbers(page, "#source-rows") == [gemm]
    page.keyboard.press("Escape")
    page.locator("#generated-rows").evaluate("node => node.scrollTop = 60 * 18")
    page.locator("#generated-rows .row", has_text="wgmma_ss").first.click()
    assert numbers(page, "#source-rows") == [gemm]
    # The address keeps the place.
    assert f"at=0:{gemm}" in page.url


def test_changed_words_are_marked_in_one_column_and_in_two(opened, make_recording) -> None:
    page = opened(make_recording(), "#pass=3")
    # A_shared gets a dimension for its stages.
    assert "3" in "".join(page.locator("#diff-rows .come .word").all_inner_texts())
    page.keyboard.press("s")
    pairs = page.locator("#diff-rows .pair")
    assert page.locator("#split").get_attribute("aria-pressed") == "true"
    changed = pairs.filter(has=page.locator(".gone")).first
    assert "(128, 32)" in changed.locator(".side.gone").inner_text()
    assert "(3, 128, 32)" in changed.locator(".side.come").inner_text()


def test_unchanged_lines_are_folded_and_open(opened, make_recording) -> None:
    page = opened(make_recording(), "#pass=1")
    before = page.locator("#diff-rows .row").count()
    page.locator("#diff-rows .folded").first.click()
    assert page.locator("#diff-rows .row").count() > before
    page.keyboard.press("f")
    assert page.locator("#diff-rows .folded").count() == 0


def test_everything_goes_by_keys(opened, make_recording) -> None:
    page = opened(make_recording())

    def title() -> str:
        return page.locator("#pass-title").inner_text()

    for key, expected in {"p": "3 ", "n": "4 ", "k": "3 ", "j": "4 "}.items():
        page.keyboard.press(key)
        assert title().startswith(expected), key
    page.keyboard.press("n")
    page.keyboard.press("]")
    assert page.locator("#diff-rows .row.cursor").count() == 1
    cursor = page.locator("#diff-rows").get_attribute("aria-activedescendant")
    page.keyboard.press("ArrowDown")
    assert page.locator("#diff-rows").get_attribute("aria-activedescendant") != cursor
    page.keyboard.press("/")
    page.keyboard.type("tile")
    assert page.locator("#pass-list .label").all_inner_texts() == ["tl.LowerTileOp"]
    page.keyboard.press("Enter")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    listed = page.locator("#keys kbd").all_inner_texts()
    assert {"n", "p", "j", "k", "/", "s", "f", "u", "t", "?"} <= set(listed)
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    page.keyboard.press("5")
    assert page.locator("#facts").is_visible()


def test_a_failed_recording_opens_on_the_failed_pass(opened, failed_recording: Path) -> None:
    page = opened(failed_recording)
    assert page.locator("#pass-title").inner_text() == "4 tl.LayoutInference"
    assert page.locator("#remark").inner_text() == (
        "tl.LayoutInference failed. InternalError: layouts conflict\nFragment A\nFragment B"
    )
    assert "did not come so far" in page.locator("#generated-remark").inner_text()


def test_long_texts_are_drawn_as_far_as_they_are_seen(opened, make_recording) -> None:
    lines = [f"    a_{number} = T.int32({number})" for number in range(20_000)]
    text = "\n".join(lines)
    page = opened(make_recording(steps=(Step("tl.Long", text, text + "\n    last = 1"),)))
    page.keyboard.press("f")
    assert page.locator("#diff-rows .row").count() < 200
    page.locator("#diff-rows").focus()
    page.keyboard.press("End")
    page.locator("#diff-rows .row.cursor", has_text="last = 1").wait_for()


def test_all_is_printed(opened, make_recording) -> None:
    page = opened(make_recording(), "#pass=3")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#facts h2").first.is_visible()
    assert not page.locator("#theme").is_visible()
    assert page.locator("#source-rows .row").count() == len(SOURCE.strip("\n").split("\n"))
    assert page.locator("#source-rows .row").last.evaluate("node => getComputedStyle(node).position") == "static"


def test_a_narrow_window_shows_one_view_at_a_time(opened, make_recording) -> None:
    page = opened(make_recording(), viewport={"width": 400, "height": 700})
    sections = ("passes", "diff", "source", "generated", "facts")
    for name in sections:
        page.locator(f"nav button[data-view={name}]").click()
        assert [one for one in sections if page.locator(f"#{one}").is_visible()] == [name]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_scheme_and_can_be_told_otherwise(opened, make_recording, scheme: str) -> None:
    page = opened(make_recording(), color_scheme=scheme)

    def back() -> str:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = "rgb(255, 255, 255)", "rgb(13, 17, 23)"
    assert back() == (light if scheme == "light" else dark)
    page.keyboard.press("t")
    assert back() == light
    page.keyboard.press("t")
    assert back() == dark


EVIL = (
    "</script><script>window.harmed=1</script><img src=x onerror=harmed=1>"
    "&lt;\"'`${harmed=1}\x1b[2J\x00\x7f\u202egnp\ud800"
)


def test_a_hostile_recording_is_only_text(opened, tmp_path: Path) -> None:
    storable = EVIL.replace("\ud800", "")
    finding = Finding("TS101", "error", storable, 1, 1, 1, 2, storable, help=storable, pass_name=storable)
    kernel = dataclasses.replace(
        INFO.kernel,
        name=storable,
        qualname=storable,
        findings=(finding,),
        notes=(storable,),
        buffers=(Buffer(storable, 1, 1, (storable, 4), storable, storable),),
    )
    info = dataclasses.replace(INFO, kernel=kernel, environment={storable: storable}, generated_language=storable)
    path = tmp_path / "evil.tscope"
    before, after = f"a\n{EVIL}\nb", f"a\n{EVIL}{EVIL}\nb"
    with RecordingWriter(path) as writer:
        writer.add_source(SourceFile(storable, EVIL, text_hash(storable)))
        steps = [Step(storable, before.replace("\ud800", ""), after.replace("\ud800", ""), phase=storable)]
        write_steps(writer, [*steps, Step("x", steps[0].after, None, error=storable)])
        writer.add(Generated(0, "cuda", EVIL))
        writer.finish(info)
    page = opened(path, "#pass=0")
    for key in ("s", "5", "c"):
        page.keyboard.press(key)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    for selector in ("#pass-0 .label", "#diff-rows", "#facts", "#title"):
        text = page.locator(selector).inner_text()
        assert "</script><script>" in text, selector
        assert "␛[2J␀␡\ufffdgnp" in text, selector


def test_damage_is_told_where_it_is(opened, make_recording) -> None:
    path = make_recording()
    database = sqlite3.connect(path)
    database.execute("UPDATE text SET body = x'00' WHERE id = 3")
    database.commit()
    database.close()
    page = opened(path, "#pass=3")
    assert "fails its checksum" in page.locator("#remark").inner_text()
    page.keyboard.press("1")
    page.locator("#pass-1").click()
    assert page.locator("#diff-rows .come").count() == 1
