"""Going over a file by our own means: the calls of its kernels, and what compiles of them set."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from tilescope_worker.models import Model

from .call_arguments import Arguments
from .compiles import Settings, astray, settings_of
from .decorated import declared_arguments
from .discover import KernelSource
from .flow import Flow
from .interpret import Interpreter
from .launches import extents, launched, out_index, returned
from .leading import exported, leading
from .literals import literal_text
from .modules import Modules
from .names import Names, is_jit, is_macro, is_prim_func
from .parameters import bind
from .signature import FunctionNode
from .sites import Calls, CallSite
from .values import UNKNOWN, Class, Env, Function, Instance, Outcome, Value, is_plain
from .workspace import Source, Workspace

_UNTAKEN = 200


class Finder:
    """Goes over one file, then over others that use it."""

    def __init__(
        self,
        source: Source,
        kernels: tuple[KernelSource, ...],
        workspace: Workspace | None,
        device: Model | None,
    ) -> None:
        self._source = source
        self._names = source.names
        self._modules = None if workspace is None else Modules(workspace, self._load)
        member = None if self._modules is None else self._modules.member
        self._interpreter = Interpreter(source.names, self, self._compiled, member, device)
        self._evaluator = self._interpreter.evaluator
        self._kernels = kernels
        self._eager: dict[ast.AST, KernelSource] = {}
        self._wanted: dict[ast.AST, KernelSource] = {}
        self._take(kernels)
        own = {node.name for node in self._wanted if isinstance(node, ast.FunctionDef)}
        self._leading = leading(source.parsed, own)
        self._waited_for = self._leading
        self._module = Env({"__name__": "__main__"})
        self._waiting: list[Function] = []
        self._untaken: list[tuple[Names, Sequence[ast.stmt], Env, Function | None]] = []
        self._first: dict[ast.AST, CallSite] = {}
        self._all: list[CallSite] = []
        self._owners: dict[ast.AST, Class] = {}
        self._instances: dict[Class, Instance] = {}
        self._targets: dict[FunctionNode, Value] = {}
        self._compiles: dict[FunctionNode, list[Settings]] = {}
        self._settled: set[ast.Call] = set()

    def _take(self, kernels: Iterable[KernelSource]) -> None:
        """Know kernels when they are called."""
        for kernel in kernels:
            self._wanted.update(dict.fromkeys(kernel.callables, kernel))
            if kernel.form == "eager" or kernel.tensors:
                self._eager[kernel.body] = kernel

    def run(self) -> None:
        """Go over the file itself."""
        if self._modules is not None:
            self._modules.add(self._source.path, self._names, self._module)
        self._execute(self._source, self._module)

    def use(self, user: Source) -> None:
        """Go over another file, which calls functions of this one."""
        self._take(user.kernels)
        self._interpreter.allow()
        self._waited_for = leading(user.parsed, self._leading)
        self._leading = self._leading | exported(user.parsed, self._leading)
        scope = Env({"__name__": "__main__"})
        if self._modules is not None:
            self._modules.add(user.path, user.names, scope)
        self._execute(user, scope)

    def calls(self) -> Calls:
        sites: dict[FunctionNode, list[CallSite]] = {}
        for site in self._all:
            if not isinstance(site.function.node, ast.Lambda):
                sites.setdefault(site.function.node, []).append(site)
        lines = tuple(astray(self._source.parsed, self._names, self._settled))
        found = {node: tuple(each) for node, each in sites.items()}
        return Calls(self._module, found, self._targets, self._compiles, lines, self._evaluator.module_member)

    def open(self) -> set[str]:
        """The names of functions of which no call tells all that the kernel needs."""
        return {
            kernel.callables[-1].name for kernel in self._kernels if kernel.callables and not self._is_told(kernel)
        }

    def _is_told(self, kernel: KernelSource) -> bool:
        required = [parameter.name for parameter in kernel.parameters if parameter.required]
        if not required:
            return True
        return any(
            all(literal_text(site.values.get(name, UNKNOWN)) is not None for name in required)
            for site in self._all
            if site.function.node in kernel.callables[-1:]
        )

    def _execute(self, source: Source, scope: Env) -> None:
        self._statements(source.names, source.parsed.tree.body, scope, None)
        self._rest()
        while self._untaken and self.open():
            self._statements(*self._untaken.pop(0))
            self._rest()
        self._untaken.clear()

    def _load(self, source: Source, scope: Env) -> None:
        """Run a module that is imported: nobody waits for its functions."""
        self._take(source.kernels)
        waited, self._waited_for = self._waited_for, set()
        self._statements(source.names, source.parsed.tree.body, scope, None)
        self._waited_for = waited

    def _statements(self, names: Names, body: Sequence[ast.stmt], scope: Env, owner: Function | None) -> None:
        before, self._evaluator.names = self._evaluator.names, names
        uncertain, self._evaluator.uncertain = self._evaluator.uncertain, 0
        try:
            Flow(self._evaluator, follower=self._interpreter).run(body, scope, owner)
        finally:
            self._evaluator.names = before
            self._evaluator.uncertain = uncertain

    def _rest(self) -> None:
        """Run the functions that have not been, those first whose parameters have values."""
        done = self._interpreter.followed
        while self._waiting:
            index = next((i for i, function in enumerate(self._waiting) if function.node in self._first), 0)
            function = self._waiting.pop(index)
            if function.node not in done and not self._is_kernel(function):
                done.add(function.node)
                self._interpreter.body(function, self._supposed(function))

    def _supposed(self, function: Function) -> CallSite:
        """The first call of a function that could not be followed, else what its decorators and its class tell."""
        if (first := self._first.get(function.node)) is not None:
            return first
        names = function.names or self._names
        before, self._evaluator.names = self._evaluator.names, names
        given, cases, line = declared_arguments(function, names, self._evaluator)
        self._evaluator.names = before
        site = CallSite(function, given, _around(function), self._line(line, names), cases=cases)
        owner = self._owners.get(function.node)
        parameters = function.node.args.posonlyargs + function.node.args.args
        if owner is not None and parameters:
            site.given.setdefault(parameters[0].arg, self._instance_of(owner))
        if function.node in self._wanted and any(is_plain(value) for value in site.given.values()):
            self._add(site)
        return site

    def _instance_of(self, kind: Class) -> Instance:
        """The first object of a class that was made, else one of which nothing is known but defaults."""
        if kind not in self._instances:
            initial = kind.member("__init__")
            made = Instance(kind)
            self._instances[kind] = made
            if isinstance(initial, Function) and initial.node not in self._interpreter.followed:
                given = bind(initial.node, Arguments((made,)))
                self._interpreter.body(initial, CallSite(initial, given, {}, initial.node.lineno))
        return self._instances[kind]

    def _is_kernel(self, function: Function) -> bool:
        node = function.node
        if node in self._eager or isinstance(node, ast.Lambda):
            return True
        return any(is_prim_func(name) or is_macro(name) for name in self._decorators(function))

    def _decorators(self, function: Function) -> list[str | None]:
        names = function.names or self._names
        heads = (d.func if isinstance(d, ast.Call) else d for d in getattr(function.node, "decorator_list", ()))
        return [names.dotted(head) for head in heads]

    def _add(self, site: CallSite) -> None:
        names = self._evaluator.names
        if names is not self._names and self._modules is not None:
            site.file = self._modules.path_of(names)
        self._all.append(site)

    def _line(self, line: int, names: Names | None = None) -> int:
        """A line of the tree that is gone over (or of that with these names) as one of its text."""
        own = (names or self._evaluator.names) is self._names
        return self._source.parsed.line(line) if own else line

    # As the Watcher of the interpreter.

    def call(self, node: ast.expr, function: Function, given: Arguments) -> Value | None:
        kernel = self._wanted.get(function.node)
        if kernel is None:
            site = CallSite(function, bind(function.node, given), {}, self._line(node.lineno), given.opaque)
            self._first.setdefault(function.node, site)
            if not given.args and not given.kwargs and (options := self._options(function)):
                return self._interpreter.follow(node, function, Arguments((), options))
            return UNKNOWN if self._is_kernel(function) and not isinstance(function.node, ast.Lambda) else None
        bound = bind(function.node, given, kernel.consts)
        site = CallSite(function, bound, _around(function, bound), self._line(node.lineno), given.opaque)
        self._first.setdefault(function.node, site)
        self._add(site)
        if function.node in self._eager:
            site.given.update(extents(kernel, function, site, self._evaluator))
            compiled = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            return Outcome(site) if compiled else returned(kernel, function, site, self._evaluator)
        return None

    def _options(self, function: Function) -> dict[str, Value]:
        """What a command is called with when its own call gives nothing: the defaults of its options."""
        if not any((name or "").startswith("click.") for name in self._decorators(function)):
            return {}
        return declared_arguments(function, function.names or self._names, self._evaluator)[0]

    def result(self, function: Function, given: CallSite, value: Value) -> Value:
        kernel = self._wanted.get(function.node)
        if kernel is None:
            return value if self._interpreter.is_transparent(function) else UNKNOWN
        jit = any(is_jit(name) for name in self._decorators(function))
        inner = isinstance(value, Function) and value.node in self._wanted
        if (inner and not jit) or (value is not UNKNOWN and not isinstance(value, (Function, Outcome))):
            return value
        site = next((each for each in reversed(self._all) if each.function.node is function.node), given)
        if jit and site.results is UNKNOWN:
            site.results = out_index(kernel.jit, function.scope, self._evaluator)
        return Outcome(site, value if isinstance(value, Function) else None)

    def outcome(self, node: ast.expr, outcome: Outcome, given: Arguments) -> Value:
        """A kernel is launched, or a factory called that defines its inner one in several branches: which of them it
        gives, its arguments say."""
        if outcome.kernel is not None:
            return launched(outcome, self._evaluator)
        before = outcome.call
        results: list[Value] = []
        for inner in self._inner(before.function.node):
            function = Function(inner, before.function.scope)
            bound = bind(inner, given, self._wanted[inner].consts)
            site = CallSite(function, bound, before.values, self._line(node.lineno), given.opaque)
            self._add(site)
            results.append(Outcome(site))
        return results[0] if results else UNKNOWN

    def defined(self, function: Function) -> None:
        if getattr(function.node, "name", "") in self._waited_for:
            self._waiting.append(function)

    def classed(self, kind: Class) -> None:
        for member in kind.members.values.values():
            if isinstance(member, Function):
                self._owners.setdefault(member.node, kind)

    def untaken(self, body: Sequence[ast.stmt], env: Env, owner: Function | None) -> None:
        if len(self._untaken) < _UNTAKEN and self._waited_for:
            self._untaken.append((self._evaluator.names, body, env, owner))

    def mark(self) -> int:
        return len(self._all)

    def pass_ended(self, before: int, passes: int) -> bool:
        """A call in a loop stands for those of all its passes."""
        for site in self._all[before:]:
            site.cases *= passes
        return len(self._all) == before

    def _inner(self, node: ast.AST) -> list[FunctionNode]:
        """The factories that a call of ``node`` may give."""
        chains = [kernel.callables for kernel in self._kernels if node in kernel.callables[:-1]]
        return list(dict.fromkeys(chain[chain.index(node) + 1] for chain in chains))

    def _compiled(self, node: ast.Call, what: Function | Outcome, given: Arguments) -> None:
        target = given.kwargs.get("target", UNKNOWN)
        if isinstance(what, Outcome):
            what.call.target = target
            what.call.results = given.kwargs.get("out_idx", given.args[1] if len(given.args) > 1 else UNKNOWN)
        elif target is not UNKNOWN and not isinstance(what.node, ast.Lambda):
            self._targets.setdefault(what.node, target)
        lowers = (self._evaluator.names.dotted(node.func) or "").endswith("lower")
        around, context = self._evaluator.contexts[-1] if self._evaluator.contexts else (None, None)
        self._settled |= {node} if around is None or not lowers else {node, around}
        settings = settings_of(self._line(node.lineno), given, context, lowers=lowers)
        if settings is None:
            return
        if isinstance(what, Outcome):
            what.call.compiles.append(settings)
        elif not isinstance(what.node, ast.Lambda):
            self._compiles.setdefault(what.node, []).append(settings)


def _around(function: Function, given: dict[str, Value] | None = None) -> dict[str, Value]:
    """What the functions around a function have been called with, and for a method what its object was made with."""
    found: dict[str, Value] = {}
    scope: Env | None = function.scope
    while scope is not None:
        if scope.call is not None:
            found = {**scope.call.values, **found}
        scope = scope.parent
    first = next(iter(given.values()), None) if given else None
    return {**first.made, **found} if isinstance(first, Instance) else found
