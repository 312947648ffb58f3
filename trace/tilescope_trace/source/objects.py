"""Classes of the workspace and their objects, as far as attributes can be known."""

from __future__ import annotations

import ast

from . import tensors_known
from .call_arguments import Arguments
from .dtypes import bits
from .names import Names
from .values import UNKNOWN, Class, Differentiable, Env, Function, Instance, Namespace, Partial, Tensor, Value

_GENERATED = ("dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attrs.define", "attr.dataclass")
_GENERATED_BASES = ("typing.NamedTuple", "pydantic.BaseModel", "NamedTuple")
_BUILTIN_TYPES: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "dict": dict,
}


def define(node: ast.ClassDef, members: Env, bases: tuple[Value, ...], names: Names) -> Class:
    """The class of a ``class`` statement whose body has been run in ``members``."""
    base_names = tuple(names.dotted(base) or (base.id if isinstance(base, ast.Name) else "") for base in node.bases)
    known = tuple(base for base in bases if isinstance(base, Class))
    heads = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    generated = any((names.dotted(head) or "") in _GENERATED for head in heads)
    generated = generated or any(name in _GENERATED_BASES for name in base_names)
    own = [
        statement.target.id
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    ]
    inherited = [name for base in known for name in base.fields or ()]
    fields = (
        tuple(dict.fromkeys((*inherited, *own)))
        if generated or (inherited and "__init__" not in members.values)
        else None
    )
    return Class(node, members, known, base_names, fields)


def is_enumeration(kind: Class) -> bool:
    return any("Enum" in name or "Flag" in name for name in kind.base_names) or any(map(is_enumeration, kind.bases))


def generated(kind: Class, given: Arguments) -> Instance | None:
    """The object that a generated ``__init__`` makes; None where the class has one of its own, or none at all."""
    if kind.fields is None:
        return None
    values = {name: kind.member(name) for name in kind.fields}
    values.update(zip(kind.fields, given.args, strict=False))
    values.update({name: value for name, value in given.kwargs.items() if name in values})
    return Instance(kind, values)


def attribute(base: Value, name: str) -> Value:
    """``base.name`` where it is known. Methods of objects come with their object."""
    if isinstance(base, Namespace):
        return base.values.get(name, UNKNOWN)
    if isinstance(base, Tensor):
        return tensors_known.attribute(base, name)
    if isinstance(base, str) and name in ("bits", "bytes", "itemsize"):
        width = bits(base)
        return UNKNOWN if width is None else width if name == "bits" else width // 8
    if isinstance(base, Instance):
        if name in base.values:
            return base.values[name]
        return _bound(base.kind.member(name), base)
    if isinstance(base, Class):
        found = base.member(name)
        if is_enumeration(base):
            return UNKNOWN
        if name == "apply" and found is UNKNOWN and isinstance(base.member("forward"), Function):
            return Differentiable(base)
        return Partial(found, (base,)) if isinstance(found, Function) and _is(found, "classmethod") else found
    return UNKNOWN


def _bound(found: Value, instance: Instance) -> Value:
    if not isinstance(found, Function) or _is(found, "staticmethod"):
        return found
    if _is(found, "property") or _is(found, "cached_property"):
        return UNKNOWN
    return Partial(found, (instance.kind if _is(found, "classmethod") else instance,))


def property_of(base: Value, name: str) -> Function | None:
    """The function of a property that is to be called for ``base.name``."""
    if isinstance(base, Instance) and name not in base.values:
        found = base.kind.member(name)
        if isinstance(found, Function) and (_is(found, "property") or _is(found, "cached_property")):
            return found
    return None


def assign(base: Value, name: str, value: Value, *, certain: bool) -> None:
    """``base.name = value``; where it is not certain that it happens, two values that differ are none."""
    values = base.values if isinstance(base, (Instance, Namespace)) else None
    if values is None:
        return
    if certain or name not in values or _same(values[name], value):
        values[name] = value
    else:
        values[name] = UNKNOWN


def method(base: Instance, name: str, given: Arguments) -> Value:
    """Methods that an object has from its library: a context of ``torch.autograd`` keeps tensors."""
    if name == "save_for_backward":
        base.values["saved_tensors"] = given.args
        return None
    return UNKNOWN


def parent_of(env: Env) -> Value:
    """``super()`` in a method: the object, looked at as one of its first base."""
    scope: Env | None = env
    while scope is not None:
        if scope.call is not None:
            first = next(iter(scope.call.given.values()), UNKNOWN)
            if isinstance(first, Instance) and first.kind.bases:
                return Instance(first.kind.bases[0], first.values)
            return UNKNOWN
        scope = scope.parent
    return UNKNOWN


def is_instance(value: Value, node: ast.expr) -> Value:
    """``isinstance`` for plain values and builtin types; UNKNOWN else."""
    options = node.elts if isinstance(node, ast.Tuple) else [node]
    kinds: list[type | tuple[type, ...]] = []
    for option in options:
        if not isinstance(option, ast.Name) or option.id not in _BUILTIN_TYPES:
            return UNKNOWN
        kinds.append(_BUILTIN_TYPES[option.id])
    if value is None or isinstance(value, (bool, int, float, str, list, tuple, dict)):
        return any(isinstance(value, kind) for kind in kinds)
    return False if isinstance(value, Tensor) else UNKNOWN


def _is(function: Function, decorator: str) -> bool:
    return not isinstance(function.node, ast.Lambda) and any(
        (isinstance(node, ast.Name) and node.id == decorator)
        or (isinstance(node, ast.Attribute) and node.attr == decorator)
        for node in function.node.decorator_list
    )


def _same(first: Value, second: Value) -> bool:
    return first is second or (type(first) is type(second) and bool(first == second))
