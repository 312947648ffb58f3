"""workspace/executeCommand: what code lenses stand for.

A client with panels of its own, or with a better way to ask, handles ``switch...``, ``show...`` and ``compare``
itself; for all others the server asks by window/showMessageRequest and shows by window/showDocument.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tilescope_server import convert
from tilescope_trace.errors import UsageError

from .panels import FAILED, all_recorded, asked_of, chosen, facts, opened, problem, recorded, told

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.panels.variants import Variants

log = logging.getLogger(__name__)

Command = Callable[["Server", Any], Awaitable[Any]]
ASKED = 9
"""Most answers that a question offers: they are buttons."""


def register(server: Server) -> None:
    for name, command in COMMANDS.items():
        server.command(name)(_handler(server, name, command))


def _handler(server: Server, name: str, command: Command) -> Callable[..., Awaitable[Any]]:
    # pygls looks at the parameters, and resolves their annotations.
    async def execute(*arguments: Any) -> Any:
        return await run(server, name, command, *arguments)

    return execute


async def run(server: Server, name: str, command: Command, *arguments: Any) -> Any:
    """Execute a command; what it cannot do is said in its answer, and to the person who asked for it."""
    try:
        answer = await told(partial(command, server), arguments[0] if arguments else None)
    except Exception:
        log.exception("%s failed", name)
        answer = problem(FAILED)
    if isinstance(answer, dict) and answer.get("schema") == "tilescope.problem/1" and name not in SILENT:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, answer["message"]))
    return answer


async def choose_specialization(server: Server, params: Any) -> None:
    """Take the given arguments for a kernel."""
    from tilescope_server.panels.asked import Variant
    from tilescope_server.panels.choosing import ChosenArguments, with_arguments

    wanted, document = asked_of(server, params, ChosenArguments)
    subject = await chosen(server, document, Variant(), wanted.kernel, wanted.line)
    path, name = document.snapshot.path, subject.kernel.qualname
    before = server.session.choice(path, name)
    server.session.choose(path, name, with_arguments(before, subject.kernel, wanted.arguments))
    server.flow.refresh(document)


async def choose_target(server: Server, params: Any) -> None:
    """Take the given target for a kernel."""
    from tilescope_server.panels.asked import Variant
    from tilescope_server.panels.choosing import ChosenTarget, with_target

    wanted, document = asked_of(server, params, ChosenTarget)
    subject = await chosen(server, document, Variant(), wanted.kernel, wanted.line)
    path, name = document.snapshot.path, subject.kernel.qualname
    server.session.choose(path, name, with_target(server.session.choice(path, name), wanted.target))
    server.flow.refresh(document)


async def switch_specialization(server: Server, params: Any) -> None:
    """Ask which specialization to take, or what else to do about it."""
    found = await _variants(server, params)
    others = [one for one in found.specializations if not one.current]
    actions: dict[str, Callable[[], Awaitable[None]]] = {
        _title(one.arguments): partial(_take_arguments, server, params, one.arguments) for one in others[:ASKED]
    }
    actions["Write a directive"] = partial(_write_directive, server, params)
    current = found.specializations[0]
    if current.file is not None and current.line is not None:
        actions["Show where these come from"] = partial(_show, server, Path(current.file), line=current.line)
    if found.chosen:
        actions["As the file says"] = partial(_take_arguments, server, params, None)
    await _ask(server, f"Arguments of {found.kernel.qualname}: now {_title(current.arguments)}", actions)


async def switch_target(server: Server, params: Any) -> None:
    """Ask which target to take."""
    found = await _variants(server, params)
    actions: dict[str, Callable[[], Awaitable[None]]] = {
        one.name: partial(_take_target, server, params, one.name) for one in found.targets if not one.current
    }
    if found.chosen:
        actions["As the file says"] = partial(_take_target, server, params, None)
    await _ask(server, f"Target of {found.kernel.qualname}: now {found.kernel.target}", actions)


async def show_passes(server: Server, params: Any) -> None:
    """Show the passes as a page in a browser."""
    from tilescope_server.panels.asked import OfKernel
    from tilescope_server.panels.files import passes_page

    wanted, document = asked_of(server, params, OfKernel)
    recording = await recorded(server, await chosen(server, document, wanted, wanted.kernel, wanted.line), params)
    await _show(server, await asyncio.to_thread(passes_page, recording), external=True)


async def show_layouts(server: Server, params: Any) -> None:
    """Show pictures of all layouts as a text."""
    from tilescope_server.panels.asked import OfKernel
    from tilescope_server.panels.files import layouts_text

    wanted, document = asked_of(server, params, OfKernel)
    subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
    kernel, _ = await facts(server, document, subject, params)
    recording = await recorded(server, subject, params)
    await _show(server, await asyncio.to_thread(layouts_text, kernel, recording))


async def compare(server: Server, params: Any) -> None:
    """Ask what to compare the current variant with, and show what differs as a text."""
    found = await _variants(server, params)
    actions: dict[str, Callable[[], Awaitable[None]]] = {
        one.name: partial(_compare_with, server, params, {"target": one.name})
        for one in found.targets
        if not one.current
    }
    for other in [one for one in found.specializations if not one.current][:ASKED]:
        actions[_title(other.arguments)] = partial(_compare_with, server, params, {"arguments": other.arguments})
    await _ask(server, f"Compare {found.kernel.qualname} for {found.kernel.target} with", actions)


async def attach_profile(server: Server, params: Any) -> Any:
    """Lay profiles over a kernel, for clients without a panel for them; without any, take them away."""
    from tilescope_server.panels.asked import Timeline

    from .inlay_hint import refresh
    from .panels import timeline

    wanted, document = asked_of(server, params, Timeline)
    if not wanted.profiles:
        server.session.profiles = ()
        document.attach({})
        refresh(server)
        return None
    if not server.session.trust.may_execute:
        raise UsageError("profiles are laid over kernels of trusted workspaces only: these must be compiled for that")
    answer = await timeline(server, params)
    if answer.get("alone"):
        raise UsageError(f"the profile is of no kernel that could be compiled: {answer['alone']}")
    return answer


COMMANDS: dict[str, Command] = {
    "tilescope.switchSpecialization": switch_specialization,
    "tilescope.switchTarget": switch_target,
    "tilescope.showPasses": show_passes,
    "tilescope.showLayouts": show_layouts,
    "tilescope.compare": compare,
    "tilescope.attachProfile": attach_profile,
    "tilescope.chooseSpecialization": choose_specialization,
    "tilescope.chooseTarget": choose_target,
}
SILENT = frozenset({"tilescope.chooseSpecialization", "tilescope.chooseTarget"})
"""Programs call these, and read the answer."""


async def _variants(server: Server, params: Any) -> Variants:
    from tilescope_server.panels.asked import OfKernel
    from tilescope_server.panels.variants import variants_of

    wanted, document = asked_of(server, params, OfKernel)
    subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
    options = server.session.options_for(document.snapshot.path)
    return await asyncio.to_thread(variants_of, subject.snapshot, options, subject.kernel)


async def _take_arguments(server: Server, params: Any, arguments: dict[str, str] | None) -> None:
    await choose_specialization(server, {**params, "arguments": arguments})


async def _take_target(server: Server, params: Any, target: str | None) -> None:
    await choose_target(server, {**params, "target": target})


async def _write_directive(server: Server, params: Any) -> None:
    from tilescope_server.write_directive import directive_for

    found = await _variants(server, params)
    document = opened(server, str(params["uri"]))
    new = directive_for(found.kernel, document.snapshot.text)
    if new is None:
        raise UsageError(f"there is no place for a directive above {found.kernel.qualname}")
    at = convert.position(server.codec, document.lines, new.line, 1)
    edit = types.WorkspaceEdit(changes={document.uri: [types.TextEdit(types.Range(at, at), new.text)]})
    await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label="Write a directive"))


async def _compare_with(server: Server, params: Any, other: dict[str, Any]) -> None:
    from tilescope_server.panels.asked import OfKernel, Variant
    from tilescope_server.panels.files import comparison_text

    wanted, document = asked_of(server, params, OfKernel)
    sides = [
        await chosen(server, document, variant, wanted.kernel, wanted.line) for variant in (wanted, Variant(**other))
    ]
    a, b = await all_recorded(server, sides, params)
    await _show(server, await asyncio.to_thread(comparison_text, a, b))


async def _ask(server: Server, question: str, actions: dict[str, Callable[[], Awaitable[None]]]) -> None:
    answer = await server.window_show_message_request_async(
        types.ShowMessageRequestParams(
            types.MessageType.Info, question, [types.MessageActionItem(title) for title in actions]
        )
    )
    if answer is not None and answer.title in actions:
        await actions[answer.title]()


async def _show(server: Server, path: Path, *, line: int | None = None, external: bool = False) -> None:
    """Have the client open a file; where it cannot, say where it is."""
    window = server.client_capabilities.window
    if window is not None and window.show_document is not None and window.show_document.support:
        place = types.Position(line - 1, 0) if line is not None else None
        selection = types.Range(place, place) if place is not None else None
        shown = await server.window_show_document_async(
            types.ShowDocumentParams(convert.uri_of(str(path)), external, not external, selection)
        )
        if shown.success:
            return
    where = f"{path}:{line}" if line is not None else str(path)
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, where))


def _title(arguments: dict[str, str]) -> str:
    return " ".join(f"{name}={text}" for name, text in arguments.items()) or "no arguments"
