"""Notebooks over stdio: kernels in cells, with what earlier cells define."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}

IMPORTS = "%matplotlib inline\n!pip list | grep 'tile\nimport tilelang\nimport tilelang.language as T\n"
SIZES = "x = !nproc\nbM, bN, bK = 128, 128, 32\nprint('sizes')"
MACRO = "@T.macro\ndef load(source, target, row, column):\n    T.copy(source[row, column], target)"
KERNEL = """\
@tilelang.jit
def matmul(M=1024, N=1024, K=1024):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, bN), T.ceildiv(M, bM), threads=128) as (bx, by):
            A_shared = T.alloc_shared((bM, bK), "float16")
            B_shared = T.alloc_shared((bK, bN), "float16")
            C_local = T.alloc_fragment((bM, bN), "float32")
            T.clear(C_local)
            for ko in T.Pipelined(T.ceildiv(K, bK), num_stages=3):
                load(A, A_shared, by * bM, ko * bK)
                T.copy(B[ko * bK, bx * bN], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * bM, bx * bN])

    return main
"""
RUN = "%%time\nkernel = matmul()\nkernel?"
SHELL = "%%bash\nexit 1"
CELLS = {"imports": IMPORTS, "sizes": SIZES, "macro": MACRO, "kernel": KERNEL, "run": RUN, "shell": SHELL}
A_SHARED = ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"


class Notebook:
    """A notebook as VS Code tells of it."""

    def __init__(self, editor: Any, uri: str, cells: dict[str, str]) -> None:
        self.editor, self.uri, self.version = editor, uri, 1
        self.order = list(cells)
        for name in cells:
            editor.versions[self.cell(name)] = 1
        editor.versions[uri] = 1
        editor.client.notebook_document_did_open(
            types.DidOpenNotebookDocumentParams(
                types.NotebookDocument(uri, "jupyter-notebook", 1, [self._listed(name) for name in cells]),
                [self._opened(name, text) for name, text in cells.items()],
            )
        )

    def cell(self, name: str) -> str:
        return f"vscode-notebook-cell:{self.uri.partition(':')[2]}#{name}"

    def _listed(self, name: str) -> types.NotebookCell:
        return types.NotebookCell(types.NotebookCellKind.Code, self.cell(name))

    def _opened(self, name: str, text: str) -> types.TextDocumentItem:
        return types.TextDocumentItem(self.cell(name), "python", 1, text)

    def _change(self, changes: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        self.editor.versions[self.uri] = self.version
        self.editor.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(self.version, self.uri),
                types.NotebookDocumentChangeEvent(cells=changes),
            )
        )

    def edit(self, name: str, change: types.TextDocumentContentChangeEvent) -> None:
        self.editor.versions[self.cell(name)] += 1
        identifier = types.VersionedTextDocumentIdentifier(self.editor.versions[self.cell(name)], self.cell(name))
        content = types.NotebookDocumentCellContentChanges(identifier, [change])
        self._change(types.NotebookDocumentCellChanges(text_content=[content]))

    def replace(self, name: str, text: str) -> None:
        self.edit(name, types.TextDocumentContentChangeWholeDocument(text))

    def splice(self, start: int, delete: int, insert: dict[str, str | None]) -> None:
        """Cells out and in at once; those with a text are new."""
        gone = [name for name in self.order[start : start + delete] if name not in insert]
        self.order[start : start + delete] = list(insert)
        for name, text in insert.items():
            if text is not None:
                self.editor.versions[self.cell(name)] = 1
        self._change(
            types.NotebookDocumentCellChanges(
                types.NotebookDocumentCellChangeStructure(
                    types.NotebookCellArrayChange(start, delete, [self._listed(name) for name in insert]),
                    [self._opened(name, text) for name, text in insert.items() if text is not None],
                    [types.TextDocumentIdentifier(self.cell(name)) for name in gone],
                )
            )
        )

    async def complete(self) -> Any:
        return await self.editor.complete(self.uri)

    async def labels(self, name: str) -> dict[int, str]:
        return await self.editor.labels(self.cell(name))

    async def diagnostics(self, name: str) -> list[tuple[int, str]]:
        await self.editor.fetch(self.cell(name))
        return [(one.range.start.line, one.code) for one in self.editor.diagnostics(self.cell(name))]


@pytest.fixture
def notebook(editor, tmp_path) -> Any:
    opened = Notebook(editor, (tmp_path / "attention.ipynb").as_uri(), CELLS)
    yield opened
    editor.client.notebook_document_did_close(
        types.DidCloseNotebookDocumentParams(
            types.NotebookDocumentIdentifier(opened.uri),
            [types.TextDocumentIdentifier(opened.cell(name)) for name in opened.order],
        )
    )


async def test_facts_are_in_the_cells_of_their_lines(notebook, editor) -> None:
    answer = await notebook.complete()
    assert answer["stage"] == "lowered", answer["facts"]
    labels = await notebook.labels("kernel")
    assert labels[6] == A_SHARED
    assert labels[13] == "→ wgmma m64n128k16"
    assert await notebook.labels("macro") == {3: "→ TMA load"}
    for name in ("imports", "sizes", "run", "shell"):
        assert await notebook.labels(name) == {}
    for name in CELLS:
        assert await notebook.diagnostics(name) == []
    hover = await editor.hover(notebook.cell("kernel"), 12, KERNEL.splitlines()[12].index("A_shared"))
    assert "**`A_shared`**" in hover
    (kernel,) = (await editor.analysis(notebook.cell("kernel")))["facts"]["files"][0]["kernels"]
    assert (kernel["qualname"], kernel["line"]) == ("matmul.main", 4)


async def test_an_edit_of_an_earlier_cell_counts(notebook) -> None:
    await notebook.complete()
    line, start = 1, SIZES.splitlines()[1].index("32")
    place = types.Range(types.Position(line, start), types.Position(line, start + 2))
    notebook.edit("sizes", types.TextDocumentContentChangePartial(place, "64"))
    await notebook.complete()
    assert (await notebook.labels("kernel"))[6] == ": [128,64] f16 shared ×3 ⟨swz128⟩ 48 KiB"


async def test_findings_are_in_their_cells_and_a_broken_one_leaves_the_others_theirs(notebook, editor) -> None:
    await notebook.complete()
    notebook.replace("kernel", KERNEL.replace("T.gemm(A_shared,", "T.gemm(nothing,"))
    await notebook.complete()
    assert [line for line, _ in await notebook.diagnostics("kernel")] == [12]
    notebook.replace("kernel", KERNEL)
    await notebook.complete()
    assert await notebook.diagnostics("kernel") == []
    notebook.replace("run", "# é😀\nkernel = matmul(")
    labels = await notebook.labels("kernel")
    assert await notebook.diagnostics("run") == [(1, "TS001")]
    assert await notebook.diagnostics("kernel") == []
    assert labels[6].startswith(": [128,32] f16 shared ×3 ⟨swz64⟩")
    assert labels[6].endswith("~")
    notebook.replace("run", RUN)
    await notebook.complete()
    assert await notebook.diagnostics("run") == []
    assert (await notebook.labels("kernel"))[6] == A_SHARED


async def test_cells_are_added_moved_and_deleted(notebook, editor) -> None:
    await notebook.complete()
    notebook.splice(0, 0, {"title": "# A title\n\n\n"})
    await notebook.complete()
    assert (await notebook.labels("kernel"))[6] == A_SHARED
    sizes = notebook.order.index("sizes")
    notebook.splice(sizes, 1, {})
    await notebook.complete()
    assert await editor.hints(notebook.cell("sizes")) == []
    await editor.fetch(notebook.cell("kernel"))
    assert "name 'b" in str([one.message for one in editor.diagnostics(notebook.cell("kernel"))])
    notebook.splice(1, 0, {"sizes": SIZES.replace("32", "64")})
    macro = notebook.order.index("macro")
    notebook.splice(macro, 2, {"kernel": None, "macro": None})
    await notebook.complete()
    assert notebook.order == ["title", "sizes", "imports", "kernel", "macro", "run", "shell"]
    assert (await notebook.labels("kernel"))[6] == ": [128,64] f16 shared ×3 ⟨swz128⟩ 48 KiB"
    assert (await notebook.labels("macro")) == {3: "→ TMA load"}


async def test_lenses_symbols_and_commands_are_those_of_the_cell(notebook, editor) -> None:
    await notebook.complete()
    for name, kernels in (("kernel", 1), ("macro", 0), ("run", 0)):
        document = types.TextDocumentIdentifier(notebook.cell(name))
        lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
        assert bool(lenses) == bool(kernels)
        symbols = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert bool(symbols) == bool(kernels)
    command = {"uri": notebook.cell("kernel"), "kernel": "matmul.main", "target": "cuda:sm_80"}
    await editor.client.workspace_execute_command_async(
        types.ExecuteCommandParams("tilescope.chooseTarget", [command])
    )

    async def chosen() -> bool:
        return (await editor.analysis(notebook.cell("kernel")))["facts"]["files"][0]["kernels"][0][
            "target"
        ] == "cuda:sm_80"

    await editor.until(chosen)


async def test_closing_takes_diagnostics_back(editor, tmp_path) -> None:
    opened = Notebook(editor, (tmp_path / "b.ipynb").as_uri(), {"only": IMPORTS + "x = ("})
    await opened.labels("only")
    editor.client.notebook_document_did_close(
        types.DidCloseNotebookDocumentParams(
            types.NotebookDocumentIdentifier(opened.uri), [types.TextDocumentIdentifier(opened.cell("only"))]
        )
    )
    assert await opened.labels("only") == {}
    assert await opened.diagnostics("only") == []


async def test_an_untrusted_notebook_has_what_its_source_says(connect, tmp_path) -> None:
    editor = await connect()
    opened = Notebook(editor, "untitled:Untitled-1.ipynb", CELLS)
    assert (await opened.labels("kernel"))[6] == ": [128,32] f16 shared 8 KiB"
