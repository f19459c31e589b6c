"""The C library: its functions, texts, errors, environments and callbacks."""
from __future__ import annotations

import os
import re
import threading
import weakref
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from ._mote import ffi as ffi
from ._mote import lib as lib

if TYPE_CHECKING:
    import logging

__version__ = "0.1.0"

if ffi.string(lib.mote_version()).decode() != __version__:
    raise ImportError(f"mote {__version__} found libmote {ffi.string(lib.mote_version()).decode()}")


def text(pointer: Any) -> str:
    """A string of the library; null: ""."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def texts(pointer: Any) -> list[str]:
    """A list of strings that ends with a null pointer."""
    found: list[str] = []
    while pointer[len(found)] != ffi.NULL:
        found.append(text(pointer[len(found)]))
    return found


def string(value: Any, name: str = "name") -> Any:
    """A text for the library, which lives as long as the answer does; name: of the argument."""
    if not isinstance(value, str):
        raise Error(f"{name}: {value!r} is no text", key=name)
    return _chars(value.encode("utf-8", "replace"), name)


def string_or_null(value: Any, name: str) -> Any:
    return ffi.NULL if value is None else string(value, name)


def path_of(value: Any, name: str = "path") -> Any:
    """The name of a file for the library."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise Error(f"{name}: {value!r} is no name of a file", key=name)
    return _chars(os.fsencode(value), name)


def _chars(data: bytes, name: str) -> Any:
    if b"\0" in data:
        raise Error(f"{name}: {data!r} holds a null character", key=name)
    return ffi.new("char[]", data)


class Error(Exception):
    """What the library refused or could not do, in the words of the tool.

    text, file, line, column, key, suggestion: of the first of `errors`; code: "argument", "format", "file", ...
    """

    def __init__(self, message: str, code: str = "argument", file: str = "", line: int = 0, column: int = 0,
                 key: str = "", errors: Optional[list["Error"]] = None) -> None:
        self.text, self.code, self.file, self.line, self.column, self.key = message, code, file, line, column, key
        self.errors = errors if errors is not None else [self]
        found = re.search(r'did you mean "([^"]*)"', message)
        self.suggestion = found.group(1) if found else None
        super().__init__(message)

    def __str__(self) -> str:
        return "\n".join(one._line() for one in self.errors)

    def _line(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line > 0 else f"{self.file}: "
        return (place if self.file else "") + self.text

    def __reduce__(self) -> Any:
        errors = None if self.errors == [self] else self.errors
        return type(self), (self.text, self.code, self.file, self.line, self.column, self.key, errors)


class HeldView(Error):
    """Views of fields are alive, and the call would change or end what they look at."""


class Busy(Error):
    """Another thread is using this world."""


def make_error(error: Any, result: int) -> Error:
    """The exception of a mote_error."""
    code, key, message = text(lib.mote_result_name(result)), text(error.key), text(error.text)
    if key and error.file[0] == b"\0" and not message.startswith(key):
        message = f"{key}: {message}"
    return Error(message, code, text(error.file), error.line, error.column, key)


def check(result: int, error: Any) -> None:
    """Raises what a call says has failed."""
    if result == lib.MOTE_ERROR_MEMORY:
        raise MemoryError(text(error.text))
    if result != lib.MOTE_OK:
        raise make_error(error, result)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last argument is a mote_error, and raises what fails."""
    error = ffi.new("mote_error *")
    try:
        result = function(*arguments, error)
    except (TypeError, OverflowError) as wrong:  # of cffi: what the checks of arguments let through
        raise Error(str(wrong)) from None
    if result != lib.MOTE_OK:
        check(result, error)


def make(kind: str, function: Callable[..., int], *arguments: Any) -> Any:
    """Calls a function that writes its result before the mote_error: make("mote_totals", lib.mote_world_totals, world)."""
    out = ffi.new(kind + " *")
    call(function, *arguments, out)
    return out[0]


class Owner:
    """An object of the library. It is destroyed after all that look at it, in whatever order Python's collector ends them."""

    __slots__ = ("pointer", "destroy", "kept", "users", "__weakref__")
    lock = threading.RLock()

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], kept: tuple[Any, ...]) -> None:
        self.pointer, self.destroy, self.kept, self.users = pointer, destroy, kept, 0

    def use(self) -> None:
        with self.lock:
            self.users += 1

    def release(self) -> None:
        with self.lock:
            self.users -= 1
            if self.users > 0:
                return
        self.destroy(self.pointer)
        for one in self.kept:
            if isinstance(one, Owner):
                one.release()


_owners: weakref.WeakValueDictionary[int, Owner] = weakref.WeakValueDictionary()  # by their addresses


def owned(pointer: Any, destroy: Callable[[Any], None], *kept: Any) -> Any:
    """A pointer that is destroyed with its last reference, while all that is kept for it is still there."""
    known = [_owners.get(int(ffi.cast("uintptr_t", one))) if isinstance(one, ffi.CData) else None for one in kept]
    owner = Owner(pointer, destroy, tuple(one or other for one, other in zip(known, kept)))
    for one in (owner, *filter(None, known)):
        one.use()
    _owners[int(ffi.cast("uintptr_t", pointer))] = owner
    return ffi.gc(pointer, lambda _, release=owner.release: release())


HOW_MANY = re.compile("MOTE_(?:.*_)?(?:KINDS|METHODS|FORMS|COMMANDS)")  # how many values an enum has


@lru_cache(maxsize=None)
def names_of(enum: str) -> dict[str, int]:
    """The values of an enum of the headers by their words: MOTE_KERNEL_WENDLAND_C2 is "wendland_c2"."""
    known = sorted(ffi.typeof(enum).relements.items(), key=lambda one: int(one[1]))
    rows = {name: value for name, value in known if not HOW_MANY.fullmatch(name)}
    prefix = os.path.commonprefix(list(rows)).rindex("_") + 1
    return {name[prefix:].lower(): value for name, value in rows.items()}


def choose(enum: str, word: Any, name: str = "") -> int:
    """The value of an enum that a word names; name: of the argument."""
    names = names_of(enum)
    found = names.get(word.replace("-", "_")) if isinstance(word, str) else None
    if found is None:
        prefix = f"{name}: " if name else ""
        raise Error(f"{prefix}{word!r} is none of {', '.join(names)}{suggest(str(word), list(names))}", key=name)
    return found


def word(enum: str, value: int) -> str:
    """The word of a value of an enum."""
    return {number: name for name, number in names_of(enum).items()}[value]


def suggest(word: Any, names: list[str]) -> str:
    """'; did you mean "..."?', or nothing."""
    kept = [string(name) for name in names]
    found = text(lib.mote_text_closest(string(str(word).replace("\0", "?")), ffi.new("char *[]", kept), len(kept)))
    return f'; did you mean "{found}"?' if found else ""


def fill(struct: Any, values: dict[str, Any], skip: tuple[str, ...] = ()) -> Any:
    """Sets members of a definition struct by their names (from_: from): numbers, words of enums, dicts of structs."""
    kinds = {name: kind for name, kind in members(struct).items() if name not in skip and kind.kind != "pointer"}
    for key, value in values.items():
        name = plain(key)
        if name not in kinds:
            raise Error(f"there is no {name!r}{suggest(name, list(kinds))}", key=name)
        kind = kinds[name]
        if kind.kind == "struct" and isinstance(value, dict):
            fill(getattr(struct, name), value)
        elif kind.kind == "enum":
            setattr(struct, name, choose(kind.cname, value, name))
        else:
            _set_member(struct, name, kind, value)
    return struct


def plain(name: str) -> str:
    """The name of a key or member: without the underscore of words that Python keeps for itself."""
    return name[:-1] if name.endswith("_") else name


def _set_member(struct: Any, name: str, kind: Any, value: Any) -> None:
    try:
        if kind.kind == "array" and not isinstance(value, (str, bytes)):
            value = list(value)
            if len(value) != kind.length:
                raise Error(f"{name}: {len(value)} numbers, not {kind.length}", key=name)
        setattr(struct, name, value)
    except (TypeError, OverflowError, ValueError) as wrong:
        raise Error(f"{name}: {wrong}", key=name) from None


def members(struct: Any) -> dict[str, Any]:
    """The types of the members of a struct, or of one behind a pointer, by their names."""
    kind = ffi.typeof(struct)
    return {name: field.type for name, field in (kind.item if kind.kind == "pointer" else kind).fields}


def as_dict(struct: Any) -> dict[str, Any]:
    """The members of a struct: numbers, lists of numbers, texts."""
    return {name: value_of(getattr(struct, name)) for name in members(struct)}


def value_of(value: Any) -> Any:
    """A member as Python has it."""
    if not isinstance(value, ffi.CData):
        return value
    kind = ffi.typeof(value)
    if kind.kind == "struct":
        return as_dict(value)
    if kind.kind == "array" and kind.item.cname == "char":
        return text(value)
    return [value_of(one) for one in value] if kind.kind == "array" else value


class Record:
    """A struct of the library as values with names; `in`, iteration and dict() work on the names."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...

    def keys(self) -> list[str]:
        return list(self.__dict__)

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.__dict__ == other.__dict__

    def __repr__(self) -> str:
        return "Record(" + ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items()) + ")"


def record(struct: Any) -> Record:
    return Record(as_dict(struct))


def presets() -> dict[str, dict[str, Any]]:
    """The presets of materials by their names: density, viscosity, ..."""
    names, found = ffi.new("char ***"), {}
    for k in range(lib.mote_material_presets(names)):
        out = ffi.new("mote_material_def *")
        lib.mote_material_def_preset(names[0][k], out)
        found[text(names[0][k])] = {name: value for name, value in as_dict(out[0]).items()
                                    if not isinstance(value, ffi.CData)}
    return found


# --- Environments and callbacks ---------------------------------------------------------------------------


class Callback:
    """A Python function that the library calls: with Callback(...) as function: ...; what it raised is raised at the end.

    failed: what the library gets where it raised.
    """

    def __init__(self, kind: str, function: Callable[..., Any], failed: Any = None) -> None:
        self._wrong: list[BaseException] = []
        self._function = ffi.callback(kind, function, failed, lambda _, wrong, __: self._wrong.append(wrong))

    def __enter__(self) -> Any:
        return self._function

    def __exit__(self, *_: Any) -> None:
        if self._wrong:
            raise self._wrong[0] from None


LEVELS = {lib.MOTE_LOG_DEBUG: 10, lib.MOTE_LOG_INFO: 20, lib.MOTE_LOG_WARNING: 30}  # of logging


class Environment:
    """Threads and log of calls; `pointer` is the mote_env."""

    def __init__(self, threads: Optional[int] = None, log: Optional[logging.Logger] = None) -> None:
        self.pointer = ffi.new("mote_env *", lib.mote_env_default())
        self.threads, self.log = threads, log
        if threads is not None:
            if not 1 <= threads <= 1024:
                raise Error(f"threads: {threads} is not between 1 and 1024", key="threads")
            self.pointer.threads = threads
        if log is not None and not callable(getattr(log, "log", None)):
            raise Error(f"log: {log!r} is no logging.Logger", key="log")
        if log is not None:
            self._handle = ffi.new_handle(log)
            self.pointer.log, self.pointer.log_user = lib.mote_python_log, self._handle


DEFAULT = Environment()


@ffi.def_extern()
def mote_python_log(user: Any, level: int, message: Any) -> None:
    ffi.from_handle(user).log(LEVELS[level], "%s", text(message))


class Sink:
    """Bytes that the library writes."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.handle = ffi.new_handle(self)


class Source:
    """Bytes that the library reads."""

    def __init__(self, data: Any) -> None:
        self.data, self.at = memoryview(data), 0
        self.handle = ffi.new_handle(self)


@ffi.def_extern(error=False)
def mote_python_write(user: Any, data: Any, size: int) -> bool:
    ffi.from_handle(user).bytes.extend(ffi.buffer(data, size))
    return True


@ffi.def_extern(error=False)
def mote_python_read(user: Any, out: Any, size: int) -> bool:
    source = ffi.from_handle(user)
    if source.at + size > len(source.data):
        return False
    ffi.memmove(out, source.data[source.at:source.at + size], size)
    source.at += size
    return True


@ffi.def_extern()
def mote_python_note(user: Any, where: Any) -> None:
    ffi.from_handle(user).append(make_error(where, lib.MOTE_ERROR_ARGUMENT))
