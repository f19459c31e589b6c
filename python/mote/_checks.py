"""Arguments of public functions: those that are annotated as numbers, texts, dicts or classes are checked by their names."""
from __future__ import annotations

import functools
import operator
from typing import Any, Callable, Optional, TypeVar

from ._library import Error

Checked = TypeVar("Checked", bound=Callable[..., Any])


def number(value: Any, name: str) -> float:
    """A number for the library, which says itself where it must be finite or positive."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise Error(f"{name}: {value!r} is not a number", key=name) from None


def integer(value: Any, name: str) -> int:
    try:
        found = operator.index(value)
    except TypeError:
        raise Error(f"{name}: {value!r} is not an integer", key=name) from None
    if not -2**31 <= found < 2**63:
        raise Error(f"{name}: {value!r} is too large", key=name)
    return found


def switch(value: Any, name: str) -> bool:
    if type(value).__name__ not in ("bool", "bool_") and not (type(value) is int and value in (0, 1)):
        raise Error(f"{name}: {value!r} is neither True nor False", key=name)
    return bool(value)


def instance(kind: str) -> Callable[[Any, str], Any]:
    """The check of a class, by its name."""
    shown = {"str": "text", "dict": "dict"}.get(kind, kind)

    def check(value: Any, name: str) -> Any:
        if all(one.__name__ != kind for one in type(value).__mro__):
            raise Error(f"{name}: {value!r} is no {shown}", key=name)
        return value

    return check


def items(values: Any, name: str, kind: Any = None) -> list[Any]:
    """The items of an argument that is a sequence, of a class."""
    try:
        found = list(values)
    except TypeError:
        raise Error(f"{name}: {values!r} is no list", key=name) from None
    for one in found:
        if kind is not None and not isinstance(one, kind):
            raise Error(f"{name}: {one!r} is no {getattr(kind, '__name__', 'Mesh')}", key=name)
    return found


CHECKS: dict[str, Callable[[Any, str], Any]] = {"float": number, "int": integer, "bool": switch}
CLASSES = ("str", "dict", "Mesh", "Shape", "Surface", "Deform", "World", "Scene", "Snapshot", "Mls")
CHECKS.update((kind, instance(kind)) for kind in CLASSES)


def check_of(annotation: Any) -> Optional[Callable[[Any, str], Any]]:
    """Of an annotation; None: anything will do."""
    kind = str(annotation).replace("'", "").replace('"', "")
    is_optional = kind.startswith("Optional[")
    kind = kind[len("Optional["):-1] if is_optional else kind
    check = CHECKS.get("dict" if kind.startswith("dict[") else kind)
    if check is None or not is_optional:
        return check
    return functools.partial(_unless_none, check)


def _unless_none(check: Callable[[Any, str], Any], value: Any, name: str) -> Any:
    return None if value is None else check(value, name)


def checked(what: Checked) -> Checked:
    """Decorates a public function, or a class with all its public methods."""
    if isinstance(what, type):
        for name, value in list(vars(what).items()):
            if callable(value) and not isinstance(value, type) and (name == "__init__" or name[0] != "_"):
                setattr(what, name, checked(value))
        return what  # type: ignore[return-value]
    code, annotations = what.__code__, what.__annotations__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    checks = {name: check for name in names for check in [check_of(annotations.get(name))] if check is not None}
    places = [(at, name, checks[name]) for at, name in enumerate(names[:code.co_argcount]) if name in checks]
    if not checks:
        return what

    @functools.wraps(what)
    def call(*values: Any, **keys: Any) -> Any:
        given = list(values)
        for at, name, check in places:
            if at < len(given):
                given[at] = check(given[at], name)
        for name in keys:
            if name in checks:
                keys[name] = checks[name](keys[name], name)
        return what(*given, **keys)

    return call  # type: ignore[return-value]
