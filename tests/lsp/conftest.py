"""Facts as a compiler gives them for tests/kernels/editor_gemm.py, made by hand, and the text they belong to."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import converters, types
from pygls.protocol import JsonRPCNotification, JsonRPCResponseMessage, default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from tilescope_trace.model import (
    Argument,
    Buffer,
    DecidedBy,
    FileFacts,
    Finding,
    Kernel,
    Launch,
    Layout,
    Operation,
    Snapshot,
    Specialization,
)

KERNELS = Path(__file__).parent.parent / "kernels"


@pytest.fixture(scope="session")
def gemm_text() -> str:
    return (KERNELS / "editor_gemm.py").read_text()


@pytest.fixture(scope="session")
def static_kernel() -> Kernel:
    """What the source alone says."""
    return Kernel(
        name="main",
        qualname="matmul.main",
        line=8,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="default",
        stage="static",
        status="ok",
        specialization=Specialization("0123456789ab", "default", {"M": Argument(1024, "default", None, 6)}),
        launch=Launch(grid=(8, 8), threads=128, line=9, column=14, end_column=71),
        buffers=(
            Buffer("A_shared", 10, 13, (128, 32), "float16", "shared.dyn", end_column=21),
            Buffer("C_local", 12, 13, (128, 128), "float32", "local.fragment", end_column=20),
        ),
        operations=(
            Operation("pipeline", 14, 22, 74, detail={"num_stages": 3}),
            Operation("copy", 15, 17, 53),
            Operation("gemm", 17, 17, 52),
        ),
    )


@pytest.fixture(scope="session")
def compiled_kernel(static_kernel: Kernel) -> Kernel:
    """What the compiler makes of it, at stage ``lowered``."""
    a, c = static_kernel.buffers
    pipeline, copy, gemm = static_kernel.operations
    reason = DecidedBy("tl.LayoutInference", 17, "operand of the gemm")
    assert static_kernel.launch is not None
    return replace(
        static_kernel,
        stage="lowered",
        launch=replace(static_kernel.launch, threads_lowered=256, shared_dynamic_bytes=49152),
        buffers=(
            replace(a, stages=3, bytes=24576, layout=Layout("shared", "Sw<2,4,3>", "64B", decided_by=reason)),
            replace(
                c, bytes=65536, layout=Layout("fragment", "mma", registers_per_thread=128, replicate=1, threads=128)
            ),
        ),
        operations=(
            replace(pipeline, detail={"num_stages": 3, "stages": 3, "async_producers": [1, 1, 0]}),
            replace(copy, lowered_to=("tma_load",)),
            replace(gemm, lowered_to=("wgmma",)),
        ),
    )


@pytest.fixture(scope="session")
def facts() -> Callable[..., FileFacts]:
    """Facts of a file from kernels and findings."""

    def make(*kernels: Kernel, findings: tuple[Finding, ...] = (), complete: bool = True) -> FileFacts:
        return FileFacts("/w/gemm.py", "0.1.15", kernels, findings, complete)

    return make


@pytest.fixture(scope="session")
def snapshot() -> Callable[[str, int], Snapshot]:
    return lambda text, version: Snapshot("/w/gemm.py", text, version)


@pytest.fixture(scope="session")
def syntax_error() -> Finding:
    return Finding("TS001", "error", "/w/gemm.py", 15, 17, 15, 24, "'(' was never closed")


RECORDED = {
    "vscode": "visual_studio_code_v1.139.1.json",
    "helix": "helix_v25.01.1.json",
    "kate": "kate_v25.04.3.json",
    "zed": "zed_by_its_source.json",
    "sublime": "sublime_by_its_source.json",
}
"""What real clients said of themselves; Zed and Sublime, which were not at hand, what their sources have them say (of
that, what this server may ask for)."""
SERVE = "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
"""The program of the server under test."""


def label_of(hint: types.InlayHint) -> str:
    """The text of a hint."""
    return hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)


class Editor:
    """A client with one profile, and what it does in these tests. Documents are texts under URIs."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.versions: dict[str, int] = {}
        self.refreshes = 0
        self.lens_refreshes = 0
        self.statuses: list[Any] = []
        self.registered: dict[str, Any] = {}
        self.fetched: dict[str, types.RelatedFullDocumentDiagnosticReport] = {}
        self.fetches = False
        """Whether the client fetches diagnostics, as VS Code does, instead of waiting for them."""

    def open(self, uri: str, text: str) -> None:
        self.versions[uri] = 1
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text))
        )

    def change(self, uri: str, text: str) -> int:
        """Replace the whole text; the new version."""
        self.versions[uri] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.versions[uri], uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return self.versions[uri]

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def hints(self, uri: str, first: int = 0, last: int = 10_000) -> list[types.InlayHint]:
        """Hints of 0-based lines ``first`` to ``last``."""
        whole = types.Range(types.Position(first, 0), types.Position(last, 0))
        found = await self.client.text_document_inlay_hint_async(
            types.InlayHintParams(types.TextDocumentIdentifier(uri), whole)
        )
        await self.fetch(uri)
        return list(found or ())

    async def labels(self, uri: str) -> dict[int, str]:
        """Hint labels by 1-based line."""
        return {hint.position.line + 1: label_of(hint) for hint in await self.hints(uri)}

    async def hover(self, uri: str, line: int, character: int) -> str:
        """The markdown at a 0-based place."""
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )
        return found.contents.value if found is not None else ""  # type: ignore[union-attr]

    async def analysis(self, uri: str) -> Any:
        """The answer to tilescope/analysis, as plain JSON."""
        params = {"textDocument": {"uri": uri}}
        return await self.client.protocol.send_request_async("tilescope/analysis", params)

    async def until(self, holds: Callable[[], Awaitable[Any]], seconds: float = 120) -> Any:
        """The first true value of ``holds()``."""

        async def poll() -> Any:
            while not (value := await holds()):
                await asyncio.sleep(0.05)
            return value

        return await asyncio.wait_for(poll(), seconds)

    async def complete(self, uri: str) -> Any:
        """The analysis of the present version once nothing more is due for it."""

        async def done() -> Any:
            found = await self.analysis(uri)
            return found if found["complete"] and found["version"] == self.versions[uri] else None

        found = await self.until(done)
        await self.fetch(uri)
        return found

    async def fetch(self, uri: str) -> None:
        """Fetch diagnostics as VS Code does after each change and where it is told to."""
        if not self.fetches:
            return
        known = self.fetched.get(uri)
        report = await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(
                types.TextDocumentIdentifier(uri), previous_result_id=known.result_id if known else None
            )
        )
        if isinstance(report, types.RelatedFullDocumentDiagnosticReport):
            self.fetched[uri] = report

    def status(self, uri: str) -> Any:
        """The last tilescope/status of a document."""
        return next(status for status in reversed(self.statuses) if status.get("uri") == uri)

    def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """Those of the last fetch, or pushed: VS Code fetches for documents of the server's languages only, and a
        configuration is none."""
        return list(self.fetched[uri].items if uri in self.fetched else self.client.diagnostics.get(uri, ()))


def _plain_converter() -> Any:
    """Leaves the JSON of methods that the protocol does not define as it is (pygls makes objects of it)."""
    converter = default_converter()
    for kind in (JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(kind, lambda obj, cls: cls(**obj))
    return converter


def _capabilities(profile: str) -> types.ClientCapabilities:
    if profile in RECORDED:
        recorded = json.loads((Path(__file__).parent / RECORDED[profile]).read_text())
        return converters.get_converter().structure(recorded["capabilities"], types.ClientCapabilities)
    return client_capabilities(profile)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def connect() -> AsyncGenerator[Callable[..., Awaitable[Editor]], None]:
    """``connect(profile, options, folder)`` starts a server over stdio and initializes it."""
    editors: list[Editor] = []

    async def start(
        profile: str = "vscode",
        options: object = None,
        folder: str | None = None,
        serve: str = SERVE,
        encoding: types.PositionEncodingKind | None = None,
        name: str | None = None,
    ) -> Editor:
        client = LanguageClient(converter_factory=_plain_converter)
        register_lsp_features(client)
        editor = Editor(client)

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh_lenses(_: Any) -> None:
            editor.lens_refreshes += 1

        @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh(_: Any) -> None:
            editor.refreshes += 1

        @client.feature("tilescope/status")
        def status(params: Any) -> None:
            editor.statuses.append(params)

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            editor.registered.update({one.method: one.register_options for one in params.registrations})

        await client.start_io(sys.executable, "-c", serve)
        editors.append(editor)

        capabilities = _capabilities(profile)
        if encoding is not None:
            capabilities.general = types.GeneralClientCapabilities(position_encodings=[encoding])
        answer = await client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities,
                initialization_options=options,
                client_info=types.ClientInfo(name) if name is not None else None,
                workspace_folders=[types.WorkspaceFolder(folder, "w")] if folder is not None else None,
            )
        )
        editor.fetches = answer.capabilities.diagnostic_provider is not None
        return editor

    yield start
    for editor in editors:
        if not editor.client.stopped:
            await editor.client.shutdown_session()
            await editor.client.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(connect: Callable[..., Awaitable[Editor]], request: pytest.FixtureRequest) -> Editor:
    """One VS Code session for a module, with the module's OPTIONS."""
    return await connect(options=request.module.OPTIONS)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def neovim(connect: Callable[..., Awaitable[Editor]], request: pytest.FixtureRequest) -> Editor:
    """The same with Neovim, which counts in UTF-8."""
    return await connect("neovim", options=request.module.OPTIONS)


@pytest.fixture
def uri(tmp_path: Path) -> str:
    """A file of the test's own."""
    return (tmp_path / "gemm.py").as_uri()
