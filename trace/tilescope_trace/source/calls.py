"""Where a file calls its kernels, and with which values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .call_arguments import Arguments
from .compiles import Settings, astray, settings_of
from .discover import KernelSource
from .flow import Flow
from .interpret import CallSite, Interpreter
from .leading import leading
from .names import Names, is_jit, is_macro, is_prim_func
from .parameters import bind
from .parsers_known import click_default
from .signature import FunctionNode, tensors
from .tolerant import Parsed
from .values import UNKNOWN, Class, Env, Function, Instance, Outcome, Tensor, Value, is_plain

__all__ = ["CallSite", "Calls", "declared_shape", "find_calls"]


@dataclass(frozen=True, eq=False)
class Calls:
    """What running over a file found: the module's names, the calls of each function in order, the targets that
    compiles of functions name and what these set, and the lines of settings whose kernel is not known."""

    module: Env
    sites: Mapping[FunctionNode, tuple[CallSite, ...]] = field(default_factory=dict)
    targets: Mapping[FunctionNode, Value] = field(default_factory=dict)
    compiles: Mapping[FunctionNode, Sequence[Settings]] = field(default_factory=dict)
    astray: tuple[int, ...] = ()


def find_calls(
    parsed: Parsed,
    names: Names,
    kernels: Iterable[KernelSource],
    module_member: Callable[[str], Value] | None = None,
) -> Calls:
    """Go over the module, following calls; then over each function that was not called, with what is known of its
    parameters, and over branches not taken."""
    finder = _Finder(parsed, names, tuple(kernels), module_member)
    return finder.run(parsed.tree)


class _Finder:
    def __init__(
        self,
        parsed: Parsed,
        names: Names,
        kernels: tuple[KernelSource, ...],
        module_member: Callable[[str], Value] | None,
    ) -> None:
        self._names = names
        self._interpreter = Interpreter(names, self, self._compiled, module_member)
        self._evaluator = self._interpreter.evaluator
        self._eager: dict[ast.AST, KernelSource] = {
            kernel.body: kernel for kernel in kernels if kernel.form == "eager" or kernel.tensors
        }
        self._chains = [kernel.callables for kernel in kernels]
        self._wanted: dict[ast.AST, tuple[str, ...]] = {}
        for kernel in kernels:
            for function in kernel.callables:
                self._wanted[function] = (*self._wanted.get(function, ()), *kernel.consts)
        self._leading = leading(parsed, {node.name for node in self._wanted if isinstance(node, ast.FunctionDef)})
        self._waiting: list[Function] = []
        self._untaken: list[tuple[Sequence[ast.stmt], Env, Function | None]] = []
        self._first: dict[ast.AST, CallSite] = {}
        self._all: list[CallSite] = []
        self._owners: dict[ast.AST, Class] = {}
        self._instances: dict[Class, Instance] = {}
        self._targets: dict[FunctionNode, Value] = {}
        self._compiles: dict[FunctionNode, list[Settings]] = {}
        self._settled: set[ast.Call] = set()

    def run(self, tree: ast.Module) -> Calls:
        module = Env({"__name__": "__main__"})
        Flow(self._evaluator, follower=self._interpreter).run(tree.body, module)
        self._rest()
        while self._untaken and self._open():
            body, env, owner = self._untaken.pop(0)
            Flow(self._evaluator, follower=self._interpreter).run(body, env, owner)
            self._rest()
        sites: dict[FunctionNode, list[CallSite]] = {}
        for site in self._all:
            if not isinstance(site.function.node, ast.Lambda):
                sites.setdefault(site.function.node, []).append(site)
        lines = tuple(astray(tree, self._names, self._settled))
        found = {node: tuple(each) for node, each in sites.items()}
        return Calls(module, found, self._targets, self._compiles, lines)

    def _rest(self) -> None:
        """Run the functions that have not been, those first whose parameters have values."""
        done = self._interpreter.followed
        while self._waiting:
            index = next((i for i, function in enumerate(self._waiting) if function.node in self._first), 0)
            function = self._waiting.pop(index)
            if function.node not in done and not self._is_kernel(function):
                done.add(function.node)
                self._interpreter.body(function, self._supposed(function))

    def _open(self) -> bool:
        """Whether there is a kernel of which no call is known."""
        called = {site.function.node for site in self._all}
        return any(chain and chain[-1] not in called for chain in self._chains)

    def _supposed(self, function: Function) -> CallSite:
        """The first call of a function that could not be followed, else what its decorators and its class tell."""
        if (first := self._first.get(function.node)) is not None:
            return first
        site = CallSite(function, {}, self._outer(function), function.node.lineno)
        site.given.update(self._declared(function, site))
        owner = self._owners.get(function.node)
        parameters = function.node.args.posonlyargs + function.node.args.args
        if owner is not None and parameters and parameters[0].arg not in site.given:
            site.given[parameters[0].arg] = self._instance_of(owner)
        if function.node in self._wanted and any(is_plain(value) for value in site.given.values()):
            self._all.append(site)
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
        names = function.names or self._names
        heads = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        dotted = [names.dotted(head) for head in heads]
        return any(is_prim_func(name) or is_macro(name) for name in dotted)

    def _declared(self, function: Function, site: CallSite) -> dict[str, Value]:
        """The first values of ``@pytest.mark.parametrize`` and the defaults of ``@click.option``."""
        found: dict[str, Value] = {}
        names = function.names or self._names
        for decorator in getattr(function.node, "decorator_list", ()):
            if not isinstance(decorator, ast.Call):
                continue
            dotted = names.dotted(decorator.func) or ""
            if dotted.endswith("mark.parametrize"):
                given = self._evaluator.arguments(decorator, function.scope)
                keys = given.args[0] if given.args else given.kwargs.get("argnames", UNKNOWN)
                cases = given.args[1] if len(given.args) > 1 else given.kwargs.get("argvalues", UNKNOWN)
                if isinstance(cases, (tuple, list, range)) and cases:
                    found.update(_first_case(keys, cases[0]))
                    site.cases *= len(cases)
                    site.line = decorator.lineno
            elif dotted.startswith("click."):
                option = click_default(dotted, self._evaluator.arguments(decorator, function.scope))
                if option is not None:
                    found.setdefault(*option)
        return found

    # As the Watcher of the interpreter.

    def call(self, node: ast.expr, function: Function, given: Arguments) -> Value | None:
        if function.node in self._wanted:
            self._record(node, function, given)
            if self._is_kernel(function):
                return Outcome(self._all[-1])
        else:
            self._first.setdefault(
                function.node, CallSite(function, bind(function.node, given), {}, node.lineno, given.opaque)
            )
            if self._is_kernel(function):
                return UNKNOWN
        return None

    def _record(self, node: ast.expr, function: Function, given: Arguments) -> None:
        bound = bind(function.node, given, self._wanted[function.node])
        site = CallSite(function, bound, self._outer(function), node.lineno, given.opaque)
        self._first.setdefault(function.node, site)
        if function.node in self._eager:
            site.given.update(self._extents(function, site.given))
        self._all.append(site)

    def result(self, function: Function, given: CallSite, value: Value) -> Value:
        if function.node not in self._wanted:
            return value if self._interpreter.is_transparent(function) else UNKNOWN
        if isinstance(value, Function) and value.node in self._wanted and not self._is_jit(function):
            return value
        if value is not UNKNOWN and not isinstance(value, (Function, Outcome)):
            return value
        site = next((each for each in reversed(self._all) if each.function.node is function.node), given)
        return Outcome(site)

    def _is_jit(self, function: Function) -> bool:
        names = function.names or self._names
        heads = (d.func if isinstance(d, ast.Call) else d for d in getattr(function.node, "decorator_list", ()))
        return any(is_jit(names.dotted(head)) for head in heads)

    def outcome(self, node: ast.expr, outcome: Outcome, given: Arguments) -> Value:
        """A factory that defines its inner one in several branches gives one of them: which, its arguments say."""
        before = outcome.call
        inner = [Function(found, before.function.scope) for found in self._inner(before.function.node)]
        results: list[Value] = []
        for function in inner:
            bound = bind(function.node, given, self._wanted[function.node])
            site = CallSite(function, bound, before.values, node.lineno, given.opaque)
            self._all.append(site)
            results.append(Outcome(site))
        return results[0] if results else UNKNOWN

    def defined(self, function: Function) -> None:
        if getattr(function.node, "name", "") in self._leading:
            self._waiting.append(function)

    def classed(self, kind: Class) -> None:
        for member in kind.members.values.values():
            if isinstance(member, Function):
                self._owners.setdefault(member.node, kind)

    def untaken(self, body: Sequence[ast.stmt], env: Env, owner: Function | None) -> None:
        if len(self._untaken) < 200:
            self._untaken.append((body, env, owner))

    def mark(self) -> int:
        return len(self._all)

    def pass_ended(self, before: int, passes: int) -> bool:
        """A call in a loop stands for those of all its passes."""
        for site in self._all[before:]:
            site.cases *= passes
        return len(self._all) == before

    def _outer(self, function: Function) -> dict[str, Value]:
        """What the functions around a function have been called with, and the class of a method."""
        found: dict[str, Value] = {}
        scope: Env | None = function.scope
        while scope is not None:
            if scope.call is not None:
                found = {**scope.call.values, **found}
            scope = scope.parent
        return found

    def _inner(self, node: ast.AST) -> list[FunctionNode]:
        """The factories that a call of ``node`` may give."""
        chains = [chain for chain in self._chains if node in chain[:-1]]
        return list(dict.fromkeys(chain[chain.index(node) + 1] for chain in chains))

    def _compiled(self, node: ast.Call, what: Function | Outcome, given: Arguments) -> None:
        target = given.kwargs.get("target", UNKNOWN)
        if isinstance(what, Outcome):
            what.call.target = target
        elif target is not UNKNOWN and not isinstance(what.node, ast.Lambda):
            self._targets.setdefault(what.node, target)
        lowers = (self._evaluator.names.dotted(node.func) or "").endswith("lower")
        around, context = self._evaluator.contexts[-1] if self._evaluator.contexts else (None, None)
        self._settled |= {node} if around is None or not lowers else {node, around}
        settings = settings_of(node, given, context, lowers=lowers)
        if settings is None:
            return
        if isinstance(what, Outcome):
            what.call.compiles.append(settings)
        elif not isinstance(what.node, ast.Lambda):
            self._compiles.setdefault(what.node, []).append(settings)

    def _extents(self, function: Function, given: dict[str, Value]) -> dict[str, Value]:
        """The ``T.const`` names of an eager kernel, from the shapes of the tensors it is called with."""
        kernel = self._eager[function.node]
        found: dict[str, Value] = {}
        for name, annotation in tensors(kernel.body, function.names or self._names).items():
            tensor = given.get(name)
            if isinstance(tensor, Tensor) and tensor.shape is not UNKNOWN:
                for extent, value in zip(declared_shape(annotation), tensor.shape, strict=False):
                    if isinstance(extent, ast.Name) and extent.id in kernel.consts and value is not UNKNOWN:
                        found.setdefault(extent.id, value)
        return found


def _first_case(names: Value, case: Value) -> dict[str, Value]:
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    if not isinstance(names, (list, tuple)):
        return {}
    values = case if len(names) > 1 else (case,)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        return {}
    return dict(zip(names, values, strict=True))


def declared_shape(annotation: ast.expr | None) -> list[ast.expr]:
    """The extents of ``T.Tensor((M, N), dtype)`` or ``T.Tensor[[M, N], dtype]``."""
    shape: ast.expr | None = None
    if isinstance(annotation, ast.Call):
        shape = next((k.value for k in annotation.keywords if k.arg == "shape"), None)
        shape = annotation.args[0] if annotation.args else shape
    elif isinstance(annotation, ast.Subscript):
        shape = annotation.slice
        if isinstance(shape, ast.Tuple) and shape.elts and isinstance(shape.elts[0], (ast.Tuple, ast.List)):
            shape = shape.elts[0]
        elif isinstance(shape, ast.Tuple) and len(shape.elts) > 1:
            return shape.elts[:-1]
    if isinstance(shape, (ast.Tuple, ast.List)):
        return shape.elts
    return [] if shape is None else [shape]
