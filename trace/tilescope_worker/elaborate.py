"""From an executed file and a request to a PrimFunc, with the pass configs and compile flags a real compile uses.

A request names a chain of nested ``def``s. The walk starts at the outermost one and, level by level, calls what it
finds with the arguments its signature asks for, until a PrimFunc is reached: bare, returned by a factory, built by a
``@tilelang.jit`` object, or caught at the compile that a factory asks for.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilelang.autotuner.tuner import AutoTuneImpl
from tilelang.jit import JITImpl
from tvm.ir import IRModule
from tvm.tirx import PrimFunc

from .arguments import ArgumentError, Values, plain, specialization, typed
from .candidates import Facts
from .compat import (
    CompileRequested,
    PendingKernel,
    config_of,
    intercept_compiles,
    normalize_pass_configs,
    pass_config_key,
)
from .definitions import Definitions, is_definition
from .eager import constants, elaborate_jit
from .wire.facts import Argument, Form, Specialization
from .wire.messages import KernelRequest

_DEEPEST = 32
"""Levels of a chain that are followed before a factory that returns itself is given up."""


@dataclass(frozen=True)
class Elaborated:
    """A kernel ready to lower: ``pass_configs`` are complete (compile flags included), keys are strings; ``notes``
    say what was done otherwise than the program does."""

    func: Any
    form: Form
    specialization: Specialization
    pass_configs: dict[str, Any]
    notes: tuple[str, ...] = ()


class UnresolvedError(Exception):
    """Parameters without a value: ``missing`` are their names, in the order of the signature."""

    def __init__(self, missing: Sequence[str], form: Form, partial: Specialization) -> None:
        super().__init__(f"no value for {', '.join(missing)}")
        self.missing = tuple(missing)
        self.form = form
        self.partial = partial
        self.tried: BaseException | None = None
        """What refused the values that were assumed, where any were."""


def missing_of(error: BaseException) -> tuple[str, ...]:
    """The parameters without a value that an error is about; empty for one that is about something else."""
    return error.missing if isinstance(error, UnresolvedError) else ()


class NoKernelError(Exception):
    """The chain leads to no kernel; the text says where it ended."""


class NotInForceError(NoKernelError):
    """Executing the file does not give the definition: it stands in a branch not taken, or was replaced."""


def elaborate(
    namespace: Mapping[str, Any],
    definitions: Definitions,
    request: KernelRequest,
    assumed: Mapping[str, Any] | None = None,
) -> Elaborated:
    """Build the kernel of ``request``; ``assumed`` are values for parameters that nothing else gives one.

    Raises UnresolvedError, ArgumentError, NoKernelError, or whatever the user's code raises.
    """
    walk = _Walk(namespace, definitions, request, assumed)
    try:
        with intercept_compiles(walk.is_wanted):
            func = walk.run()
    except CompileRequested as caught:
        func = walk.caught(caught.kernel)
    except AttributeError:
        if walk.constructor_error is not None:
            raise walk.constructor_error from None
        raise
    walk.check_names()
    return walk.finish(func)


class _Walk:
    def __init__(
        self,
        namespace: Mapping[str, Any],
        definitions: Definitions,
        request: KernelRequest,
        assumed: Mapping[str, Any] | None,
    ) -> None:
        self.namespace = namespace
        self.definitions = definitions
        self.request = request
        self.values = Values(request.arguments, namespace, assumed)
        self.form: Form = "factory"
        self.own_configs: list[dict[Any, Any]] = []
        self.flags: list[str] = []
        self.flags_of_compile: tuple[str, ...] | None = None
        self.parameters: list[str] = []
        self._facts: Facts | None = None
        self.constructor_error: Exception | None = None
        self.notes: tuple[str, ...] = ()

    def run(self) -> Any:
        (name, line), *inner = self.request.chain
        found = self._outermost(name, line)
        for _ in range(_DEEPEST):
            if isinstance(found, PrimFunc):
                self.form = "prim_func" if found is self.namespace.get(name) else self.form
                return found
            if isinstance(found, PendingKernel):
                return self.caught(found)
            if isinstance(found, IRModule):
                found = self._among([f for f in found.functions.values() if isinstance(f, PrimFunc)])
            elif isinstance(found, (tuple, list)):
                found = self._among(found)
            elif isinstance(found, (JITImpl, AutoTuneImpl)):
                return self._jit(found)
            elif inspect.isclass(found) and inner:
                found = self._member(found, inner[0][0])
                inner = inner[1:]
            elif callable(found):
                found = self._call(found)
            else:
                break
        path = ".".join(part for part, _ in self.request.chain)
        raise NoKernelError(f"{path} gives a {type(found).__name__}, not a kernel")

    def caught(self, kernel: PendingKernel) -> Any:
        """The PrimFunc of a compile that user code has asked for, with that compile's own settings noted."""
        self.own_configs.append(dict(kernel.pass_configs))
        self.flags_of_compile = kernel.compile_flags
        if kernel.tuned:
            self.form = "autotune"
            self.values.used |= {name: Argument(plain(value), "autotune") for name, value in kernel.tuned.items()}
        return kernel.prim_func

    def finish(self, func: Any) -> Elaborated:
        attrs = dict(func.attrs or {})
        merged: dict[str, Any] = {}
        for configs in (attrs.get("tilelang_pass_configs") or {}, *self.own_configs, self.request.pass_configs):
            merged |= {pass_config_key(key): value for key, value in dict(configs).items()}
        configs = normalize_pass_configs(merged)
        # A compile that was caught has merged the function's own flags already.
        flags = self.flags_of_compile
        if flags is None:
            flags = (*map(str, attrs.get("tilelang_compile_flags") or ()), *self.flags)
        described = specialization(self.values.used, configs, flags)
        if flags:
            before = configs.get("tl.device_compile_flags") or ()
            configs["tl.device_compile_flags"] = [*([before] if isinstance(before, str) else before), *flags]
        return Elaborated(func, self.form, described, configs, self.notes)

    def is_wanted(self, kernel: PendingKernel) -> bool:
        """Whether a compile that user code asks for is that of the requested kernel."""
        name, line = self.request.chain[-1]
        function = getattr(kernel.prim_func, "orig_func", None)
        return function is None or is_definition(function, name, line, self.definitions) is True

    def check_names(self, allowed: Collection[str] = ()) -> None:
        """Raises ArgumentError for an argument that somebody has written and that nothing along the chain has asked
        for. One that was read off a call may belong to a function that the kernel's own code calls."""
        written = ("command-line", "editor", "directive", "config")
        unknown = [name for name in self.values.unused(written) if name not in allowed]
        if unknown:
            have = ", ".join(dict.fromkeys(self.parameters)) or "none"
            raise ArgumentError(f"the kernel has no parameter {unknown[0]!r}; its parameters: {have}")

    def _outermost(self, name: str, line: int) -> Any:
        if name not in self.namespace:
            raise NotInForceError(f"{name} is not compiled: the file does not come to this definition")
        found = self.namespace[name]
        if is_definition(_function_of(found), name, line, self.definitions) is False:
            raise NotInForceError(f"{name} is not compiled: another definition of it is in force")
        return self._made_kernel(found)

    def _made_kernel(self, found: Any) -> Any:
        """The jit object that the file makes of a plain factory under another name, which holds its settings; else
        the factory itself."""
        if not inspect.isfunction(found):
            return found
        made = (v for v in self.namespace.values() if isinstance(v, (JITImpl, AutoTuneImpl)))
        return next((one for one in made if _function_of(one) is found), found)

    def _member(self, owner: type, name: str) -> Any:
        member = inspect.getattr_static(owner, name, None)
        if isinstance(member, (staticmethod, classmethod, JITImpl, AutoTuneImpl, PrimFunc)):
            return getattr(owner, name)
        if member is None:
            raise NoKernelError(f"{owner.__name__} has no {name}")
        return getattr(self._instance(owner), name)

    def _instance(self, owner: Any) -> Any:
        """An instance of a class; where its constructor fails, which may load weights or ask for a device, one that
        has the constructor's arguments for attributes."""
        known, missing = self._bind(_signature_of(owner))
        self._require(missing)
        try:
            return owner(**known)
        except Exception as error:  # noqa: BLE001 - constructors are user code; raised again if attributes are missing
            self.constructor_error = error
            instance = owner.__new__(owner)
            defaults = {name: one.default for name, one in _signature_of(owner).parameters.items()}
            for name, value in {**defaults, **known}.items():
                if value is not inspect.Parameter.empty:
                    object.__setattr__(instance, name, value)
            said = f"{type(error).__name__} in the constructor of {owner.__name__}"
            self.notes = (f"{said}: the kernel is that of an instance which has only its arguments",)
            return instance

    def _call(self, function: Any) -> Any:
        known, missing = self._bind(_signature_of(function))
        self._require(missing)
        return function(**known)

    def _jit(self, found: Any) -> Any:
        tuned = isinstance(found, AutoTuneImpl)
        jit = self._tune(found) if tuned else found
        sizes = constants(jit)
        self.form = "autotune" if tuned else "lazy" if sizes is None else "eager"
        known, missing = self._bind(jit.signature, leave_out=set(getattr(jit.func, "tensor_args", ())))
        self.parameters += sizes or ()
        for name in sizes or ():
            if self.values.has(name):
                known[name] = self.values.take(name)
        self._require([*missing, *(n for n in sizes or () if n not in known)] if missing else ())
        func, missing_sizes = elaborate_jit(jit, known)
        self._require(missing_sizes)
        if not tuned and jit.mode in ("lazy", "eager"):
            self.form = jit.mode
        self.own_configs.insert(0, dict(jit.pass_configs or {}))
        flags = jit.compile_flags or ()
        self.flags += [flags] if isinstance(flags, str) else list(flags)
        return func

    def _tune(self, tuned: Any) -> Any:
        jit = tuned.jit_impl
        config = _config_of(tuned, jit, self.values.given)
        self.own_configs.append(dict(config.pop("pass_configs", None) or {}))
        self.values.tune(config)
        return jit

    def _bind(
        self, signature: inspect.Signature, leave_out: Collection[str] = ()
    ) -> tuple[dict[str, Any], list[str]]:
        """(keyword arguments for one level, names of the parameters without a value)."""
        known: dict[str, Any] = {}
        missing = []
        for name, parameter in signature.parameters.items():
            if name in leave_out or parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                continue
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                known |= {extra: self.values.take(extra) for extra in self.values.unused()}
                continue
            self.parameters.append(name)
            try:
                known[name] = typed(self.values.take(name), parameter.annotation)
            except KeyError:
                if parameter.default is inspect.Parameter.empty or self._is_unset(name, parameter.default):
                    missing.append(name)
                else:
                    self.values.default(name, parameter.default)
        return known, missing

    def _is_unset(self, name: str, default: Any) -> bool:
        """Whether a default is a mere None where a size is needed, as of parameters that a tuner fills in: as a size,
        None takes the compiler down with it."""
        if default is not None:
            return False
        if self._facts is None:
            self._facts = Facts(self.definitions.functions(self.request.chain))
        return name in self._facts.sized - self._facts.optional

    def _require(self, missing: Sequence[str]) -> None:
        """Raises UnresolvedError for missing names, or ArgumentError where a name was rather misspelt."""
        if not missing:
            return
        deeper = [p for name, _ in self.request.chain for p in self.definitions.parameters(name)]
        self.check_names(allowed={*deeper, *self.parameters})
        raise UnresolvedError(missing, self.form, specialization(self.values.used, self.request.pass_configs, ()))

    def _among(self, results: Sequence[Any]) -> Any:
        """The requested kernel of several that a factory returns; the first one where names do not decide."""
        kernels = [r for r in results if isinstance(r, (PrimFunc, JITImpl, AutoTuneImpl, PendingKernel))]
        inner = (
            one
            for one in results
            if inspect.isfunction(one)
            and any(is_definition(one, *key, self.definitions) for key in self.request.chain)
        )
        if not kernels:
            return next(inner, None)
        name, line = self.request.chain[-1]
        exact = (k for k in kernels if is_definition(_function_of(k), name, line, self.definitions))
        named = (k for k in kernels if str((getattr(k, "attrs", None) or {}).get("global_symbol")) == name)
        return next(exact, None) or next(named, None) or next(iter(kernels), None)


def _signature_of(function: Any) -> inspect.Signature:
    """What a function takes; a decorator over a jit object takes what that does."""
    inner = inspect.unwrap(function, stop=lambda one: isinstance(one, JITImpl))
    return inner.signature if isinstance(inner, JITImpl) else inspect.signature(function)


def _function_of(found: Any) -> Any:
    """The Python function behind what a ``def`` has become."""
    if isinstance(found, AutoTuneImpl):
        found = found.jit_impl
    if isinstance(found, JITImpl):
        found = found.func
    if isinstance(found, PendingKernel):
        found = found.prim_func
    if isinstance(found, functools.partial):
        found = found.func
    return getattr(found, "orig_func", None) or inspect.unwrap(found)


def _config_of(tuned: Any, jit: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The first autotune config. A callable gets the arguments its own signature names, else those of the kernel."""
    if not callable(tuned.configs):
        return config_of(tuned)
    wanted = inspect.signature(tuned.configs).parameters
    defaults = {n: p.default for n, p in jit.signature.parameters.items() if p.default is not inspect.Parameter.empty}
    by_name = {n: v for n, v in {**defaults, **given}.items() if n in wanted}
    required = [n for n, p in wanted.items() if p.default is inspect.Parameter.empty and p.kind not in (2, 4)]
    if all(name in by_name for name in required):
        return config_of(tuned, (), by_name)
    return config_of(tuned, tuple(given[n] for n in jit.signature.parameters if n in given))
