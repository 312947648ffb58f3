"""Where a file calls its kernels, and with which values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .compiles import Settings, astray, settings_of
from .discover import KernelSource
from .evaluate import Arguments, Evaluator
from .flow import Flow
from .inline import Inliner
from .names import Names, is_macro, is_prim_func
from .parameters import bind, default_scope, names_of
from .signature import FunctionNode, tensors
from .tolerant import Parsed
from .values import UNKNOWN, Env, Function, Outcome, Tensor, Value


@dataclass(eq=False)
class CallSite:
    """One call of a function that gives a kernel. ``given`` maps parameters to values, UNKNOWN where the call passes
    something that is not known; ``outer`` are values of the functions around; ``opaque`` says that there may be more
    arguments than are seen. ``target`` is what a compile of the result names, ``compiles`` what its compiles set."""

    function: Function
    given: dict[str, Value]
    outer: dict[str, Value]
    line: int
    opaque: bool = False
    target: Value = UNKNOWN
    compiles: list[Settings] = field(default_factory=list)

    @property
    def values(self) -> dict[str, Value]:
        return {**self.outer, **self.given}


@dataclass(frozen=True, eq=False)
class Calls:
    """What running over a file found: the module's names, the calls of each function in order, the targets that
    compiles of functions name and what these set, and the lines of settings whose kernel is not known."""

    module: Env
    sites: Mapping[FunctionNode, tuple[CallSite, ...]] = field(default_factory=dict)
    targets: Mapping[FunctionNode, Value] = field(default_factory=dict)
    compiles: Mapping[FunctionNode, Sequence[Settings]] = field(default_factory=dict)
    astray: tuple[int, ...] = ()


def find_calls(parsed: Parsed, names: Names, kernels: Iterable[KernelSource]) -> Calls:
    """Go over the module and each of its functions once, the called ones with the values of their first call."""
    return _Finder(names, tuple(kernels)).run(parsed.tree)


class _Finder:
    def __init__(self, names: Names, kernels: tuple[KernelSource, ...]) -> None:
        self._names = names
        self._evaluator = Evaluator(names, self._called, self._compiled, thorough=True)
        self._flow = Flow(self._evaluator, defined=self._defined, first_pass=True)
        self._inliner = Inliner(names)
        self._eager = {kernel.body: kernel for kernel in kernels if kernel.form == "eager" or kernel.tensors}
        self._chains = [kernel.callables for kernel in kernels]
        self._wanted = {function for chain in self._chains for function in chain}
        self._waiting: list[Function] = []
        self._first: dict[FunctionNode, CallSite] = {}
        self._sites: dict[FunctionNode, list[CallSite]] = {}
        self._targets: dict[FunctionNode, Value] = {}
        self._compiles: dict[FunctionNode, list[Settings]] = {}
        self._settled: set[ast.Call] = set()

    def run(self, tree: ast.Module) -> Calls:
        module = Env({"__name__": "__main__"})
        self._flow.run(tree.body, module)
        done: set[FunctionNode] = set()
        while self._waiting:
            # What has been called goes first: its parameters have values.
            index = next((i for i, function in enumerate(self._waiting) if function.node in self._first), 0)
            function = self._waiting.pop(index)
            if function.node not in done and not self._is_kernel(function.node):
                done.add(function.node)
                self._flow.run(function.node.body, self._scope(function), function)
        sites = {node: tuple(found) for node, found in self._sites.items()}
        lines = tuple(astray(tree, self._names, self._settled))
        return Calls(module, sites, self._targets, self._compiles, lines)

    def _defined(self, function: Function) -> None:
        self._waiting.append(function)

    def _is_kernel(self, node: FunctionNode) -> bool:
        if node in self._eager:
            return True
        heads = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        dotted = [self._names.dotted(head) for head in heads]
        return any(is_prim_func(name) or is_macro(name) for name in dotted)

    def _scope(self, function: Function) -> Env:
        env = default_scope(function, self._evaluator)
        if (first := self._first.get(function.node)) is not None:
            env.values.update(first.given)
        else:
            env.values.update(self._parametrized(function))
        return env

    def _parametrized(self, function: Function) -> dict[str, Value]:
        """The first values of ``@pytest.mark.parametrize``."""
        found: dict[str, Value] = {}
        for decorator in function.node.decorator_list:
            if not (isinstance(decorator, ast.Call) and len(decorator.args) >= 2):
                continue
            if (self._names.dotted(decorator.func) or "").endswith("mark.parametrize"):
                names = self._evaluator.value(decorator.args[0], function.scope)
                cases = self._evaluator.value(decorator.args[1], function.scope)
                if isinstance(names, str) and isinstance(cases, (tuple, list)) and cases:
                    keys = [name.strip() for name in names.split(",")]
                    first = cases[0] if len(keys) > 1 else (cases[0],)
                    if isinstance(first, (tuple, list)) and len(first) == len(keys):
                        found.update(zip(keys, first, strict=True))
        return found

    def _called(self, node: ast.Call, target: Function | Outcome, given: Arguments) -> Value:
        if isinstance(target, Outcome):
            # A factory that defines its inner one in several branches gives one of them: which, its arguments say.
            before = target.call
            inner = [Function(found, before.function.scope) for found in self._inner(before.function.node)]
            outcomes = [self._record(node, function, given, before.values) for function in inner]
            return outcomes[0] if outcomes else UNKNOWN
        outer: dict[str, Value] = {}
        owner = target.owner
        while owner is not None:
            outer = {**{name: target.scope.get(name) for name in names_of(owner.node)}, **outer}
            owner = owner.owner
        return self._record(node, target, given, outer)

    def _record(self, node: ast.Call, function: Function, given: Arguments, outer: dict[str, Value]) -> Value:
        site = CallSite(function, bind(function.node, given), outer, node.lineno, given.opaque)
        self._first.setdefault(function.node, site)
        if function.node not in self._wanted:
            return self._inliner.result(function, given)
        if function.node in self._eager:
            site.given.update(self._extents(function.node, site.given))
        self._sites.setdefault(function.node, []).append(site)
        return Outcome(site)

    def _inner(self, node: FunctionNode) -> list[FunctionNode]:
        """The factories that a call of ``node`` may give."""
        chains = [chain for chain in self._chains if node in chain[:-1]]
        return list(dict.fromkeys(chain[chain.index(node) + 1] for chain in chains))

    def _compiled(self, node: ast.Call, what: Function | Outcome, given: Arguments) -> None:
        target = given.kwargs.get("target", UNKNOWN)
        if isinstance(what, Outcome):
            what.call.target = target
        elif target is not UNKNOWN:
            self._targets.setdefault(what.node, target)
        lowers = (self._names.dotted(node.func) or "").endswith("lower")
        around, context = self._evaluator.contexts[-1] if self._evaluator.contexts else (None, None)
        self._settled |= {node} if around is None or not lowers else {node, around}
        settings = settings_of(node, given, context, lowers=lowers)
        if settings is not None:
            known = what.call.compiles if isinstance(what, Outcome) else self._compiles.setdefault(what.node, [])
            known.append(settings)

    def _extents(self, node: FunctionNode, given: dict[str, Value]) -> dict[str, Value]:
        """The ``T.const`` names of an eager kernel, from the shapes of the tensors it is called with."""
        kernel = self._eager[node]
        found: dict[str, Value] = {}
        for name, annotation in tensors(node, self._names).items():
            tensor = given.get(name)
            if isinstance(tensor, Tensor):
                for extent, value in zip(declared_shape(annotation), tensor.shape, strict=False):
                    if isinstance(extent, ast.Name) and extent.id in kernel.consts and value is not UNKNOWN:
                        found.setdefault(extent.id, value)
        return found


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
